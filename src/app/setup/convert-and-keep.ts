import { z } from "zod";
import { convertCode } from "../../adapters/github/apps/convert-code.js";
import type { KeptAppFiles } from "../../adapters/home/kept-app-files.js";
import { appSetupAdvice, settingsPage } from "../../core/replies/app/setup/setup-words.js";
import type { AppChoices } from "../../core/setup/app-choices.js";
import { UserError } from "../../lib/user-error.js";
import { OutsideFault } from "../../ports/outside-fault.js";
import type { Conversion } from "./answer-setup.js";

interface GitHubPlace {
  readonly apiUrl: string;
  readonly serverUrl: string;
}

const Named = z.object({ slug: z.string().nullable().catch(null) }).catch({ slug: null });

/** Fetches the App's keys for a code, and keeps them before it looks at them: GitHub says them once. */
export async function convertAndKeep(
  { apiUrl, serverUrl }: GitHubPlace,
  files: KeptAppFiles,
  { code, choices: { organisation, channel } }: { readonly code: string; readonly choices: AppChoices },
): Promise<Conversion> {
  let answer: object | null;
  try {
    answer = await convertCode(apiUrl, code);
  } catch (error) {
    if (!(error instanceof OutsideFault)) throw error;
    return { kind: "again", advice: appSetupAdvice.unreachable(error.message) };
  }
  if (answer === null) return { kind: "refused" };
  const place = { server_url: serverUrl, organisation };
  try {
    await files.keepAnswer({ ...place, api_url: apiUrl, webhook_proxy: channel, answer });
  } catch (error) {
    const settings = settingsPage({ ...place, slug: Named.parse(answer).slug });
    return { kind: "end", advice: appSetupAdvice.lost(settings, (error as Error).message) };
  }
  try {
    return { kind: "app", app: await files.finish(), folder: files.folder };
  } catch (error) {
    if (error instanceof UserError) return { kind: "end", advice: error };
    return {
      kind: "end",
      advice: appSetupAdvice.unfinished(files.answerFile, (error as Error).message),
    };
  }
}
