import { NO_FILES_TREE } from "../../git/world-diff.js";
import { gitBytes } from "../../git/world-git.js";
import { type Judging, type Move, NOTHING } from "./move.js";
import { matchesGlob, type Rule } from "./ruleset.js";

const MEGABYTE = 1024 * 1024;

/** Rules that look at the files a push changes. */
export async function brokenFileRule(rule: Rule, judging: Judging, move: Move): Promise<string | null> {
  const { parameters } = rule;
  const files = await changedFiles(judging, move);
  const wrong = (say: string, isWrong: (file: ChangedFile) => boolean) => {
    const paths = files.filter(isWrong).map(({ path }) => path);
    return paths.length === 0 ? null : `${say}\n  Found ${paths.length}:\n\n  ${paths.join("\n  ")}`;
  };
  switch (rule.type) {
    case "file_path_restriction":
      return wrong("File path is restricted", ({ path }) =>
        textsOf(parameters.restricted_file_paths).some((pattern) => matchesGlob(path, pattern)),
      );
    case "file_extension_restriction":
      return wrong("File extension is restricted", ({ path }) =>
        textsOf(parameters.restricted_file_extensions).some((end) => path.endsWith(end.replace(/^\*/, ""))),
      );
    case "max_file_path_length":
      return wrong(
        "File path is too long",
        ({ path }) => path.length > Number(parameters.max_file_path_length),
      );
    default:
      return wrong("File is too large", ({ bytes }) => bytes > Number(parameters.max_file_size) * MEGABYTE);
  }
}

interface ChangedFile {
  readonly path: string;
  readonly bytes: number;
}

async function changedFiles({ repository, env }: Judging, { before, after }: Move): Promise<ChangedFile[]> {
  const from = before === NOTHING ? NO_FILES_TREE : before;
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--diff-filter=d", from, after];
  const tokens = (await gitBytes(repository, args, { env })).toString().split("\0");
  const changed: { path: string; blob: string }[] = [];
  for (let at = 0; at + 1 < tokens.length; at += 2)
    changed.push({ blob: tokens[at]?.split(" ")[3] ?? "", path: tokens[at + 1] ?? "" });
  const input = changed.map(({ blob }) => `${blob}\n`).join("");
  const sizes = (await gitBytes(repository, ["cat-file", "--batch-check=%(objectsize)"], { env, input }))
    .toString()
    .split("\n");
  return changed.map(({ path }, index) => ({ path, bytes: Number(sizes[index]) || 0 }));
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
