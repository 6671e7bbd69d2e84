import { z } from "zod";
import { fileTooLarge, notAFile } from "../../core/replies/app/github.js";
import { UserError } from "../../lib/user-error.js";
import type { Octokit } from "./app-client.js";
import { repositoryAt } from "./repository-at.js";
import { unlessGone } from "./request-error.js";

const MOST_BYTES = 1024 * 1024;

const Content = z.object({
  type: z.string(),
  size: z.number(),
  encoding: z.string().optional(),
  content: z.string().optional(),
});

/**
 * A file of the default branch, or of another ref; null when it is not there. GitHub is asked for its description, not for the raw
 * text: only there a folder, a link or a submodule can be told from a file.
 */
export async function readRepositoryFile(
  octokit: Octokit,
  repository: string,
  path: string,
  ref?: string,
): Promise<string | null> {
  const { owner, repo } = repositoryAt(repository);
  const answer = await unlessGone(
    octokit.rest.repos.getContent({ owner, repo, path, ...(ref !== undefined && { ref }) }),
  );
  if (answer === null) return null;
  const data: unknown = answer.data;
  if (Array.isArray(data)) throw UserError.of(notAFile(repository, path, "a folder"));
  const { type, size, encoding, content } = Content.parse(data);
  if (type !== "file") throw UserError.of(notAFile(repository, path, `a ${type}`));
  // Beyond this size GitHub leaves the text out anyway.
  if (size > MOST_BYTES) throw UserError.of(fileTooLarge(repository, path, size));
  if (encoding !== "base64" || content === undefined)
    throw new Error(`${path} of ${repository} came in an unknown form: ${encoding}`);
  return Buffer.from(content, "base64").toString("utf8");
}
