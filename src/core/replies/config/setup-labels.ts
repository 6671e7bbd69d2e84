import { plainText } from "../../../lib/plain-text.js";
import type { SetupLabel } from "../../setup/labels.js";

type LabelTrouble =
  | { readonly kind: "no-token"; readonly host: string }
  | { readonly kind: "no-github" }
  | { readonly kind: "failed"; readonly why: string };

/** What became of each label, or would; and the commands for those that this token may not make. */
export function labelLines(
  made: readonly { readonly label: SetupLabel; readonly answer: "new" | "there" | "refused" }[],
  dry: boolean,
): string[] {
  const refused = made.filter(({ answer }) => answer === "refused").map(({ label }) => label);
  return [
    ...made.flatMap(({ label: { name }, answer }) => {
      if (answer === "refused") return [];
      if (answer === "there") return [`label ${plainText(name)} is there already`];
      return [`${dry ? "would make" : "made"} label ${plainText(name)}`];
    }),
    ...(refused.length === 0
      ? []
      : ["the token may not make labels: needs the write role; whoever has it types", ...commands(refused)]),
  ];
}

/** Why no label was made, and how to make them by hand. */
export function labelTrouble(trouble: LabelTrouble, labels: readonly SetupLabel[]): string[] {
  const why = {
    "no-token": () => `no token for ${"host" in trouble ? trouble.host : ""}: no label was looked at`,
    "no-github": () => "the project pushes to no repository on GitHub yet: no label was looked at",
    failed: () => `no label was made: ${"why" in trouble ? trouble.why : ""}`,
  }[trouble.kind]();
  return [
    `${plainText(why)}; to make them, run this again with GITHUB_TOKEN set, or type`,
    ...commands(labels),
  ];
}

function commands(labels: readonly SetupLabel[]): string[] {
  return labels.map(
    ({ name, color, description }) =>
      `  gh label create ${quoted(name)} --color ${color} --description ${quoted(description)}`,
  );
}

/** For a shell: nothing between such quotes means anything but itself. */
function quoted(text: string): string {
  return `'${plainText(text).replaceAll("'", "'\\''")}'`;
}
