import { z } from "zod";
import type { SetupLabel } from "../../../core/setup/labels.js";
import type { Octokit } from "../app-client.js";
import { readPages } from "../read-pages.js";
import { repositoryAt } from "../repository-at.js";
import { statusOf } from "../request-error.js";

const Label = z.object({ name: z.string() });

/** `new` is made, or would be; `there` is left as it is; `refused` is what this token may not make. */
export type LabelAnswer = "new" | "there" | "refused";

/** Makes the labels that a repository lacks, and changes none that it has. Without `write` it only looks. */
export async function makeLabels(
  octokit: Octokit,
  repository: string,
  { labels, write }: { readonly labels: readonly SetupLabel[]; readonly write: boolean },
): Promise<readonly { readonly label: SetupLabel; readonly answer: LabelAnswer }[]> {
  const at = repositoryAt(repository);
  const known = new Set<string>();
  const pages = readPages(Label, (page) => octokit.rest.issues.listLabelsForRepo({ ...at, ...page }));
  // For GitHub, a label in capitals is the same one.
  for await (const { name } of pages) known.add(name.toLowerCase());
  const found: { label: SetupLabel; answer: LabelAnswer }[] = [];
  for (const label of labels) {
    if (known.has(label.name.toLowerCase())) found.push({ label, answer: "there" });
    else found.push({ label, answer: write ? await makeLabel(octokit, at, label) : "new" });
  }
  return found;
}

async function makeLabel(
  octokit: Octokit,
  at: ReturnType<typeof repositoryAt>,
  label: SetupLabel,
): Promise<LabelAnswer> {
  try {
    await octokit.rest.issues.createLabel({ ...at, ...label });
    return "new";
  } catch (error) {
    // Somebody was quicker.
    if (statusOf(error) === 422) return "there";
    if (statusOf(error) === 403 || statusOf(error) === 404) return "refused";
    throw error;
  }
}
