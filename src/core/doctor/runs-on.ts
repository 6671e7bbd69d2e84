/** GitHub's own machines, which need no registration. */
const HOSTED = /^(?:ubuntu|windows|macos)-/i;
const LINE = /^( *)runs-on:[ \t]*(.*)$/;

/**
 * The labels that each job of a workflow asks for, where a machine of the team's own is meant. Read line by line; what
 * an expression would say, and a group, is left out.
 */
export function ownRunners(text: string): readonly (readonly string[])[] {
  const lines = text.split(/\r?\n/);
  const asked = lines.flatMap((line, at) => {
    const [, indent = "", rest = ""] = LINE.exec(line) ?? [];
    if (!LINE.test(line)) return [];
    const value = uncommented(rest);
    const labels = value === "" ? below(lines.slice(at + 1), indent.length) : listed(value);
    return labels.length === 0 ? [] : [labels];
  });
  const own = asked.filter(
    (labels) =>
      !labels.some((label) => label.includes("${{")) && !labels.every((label) => HOSTED.test(label)),
  );
  return [...new Map(own.map((labels) => [labels.join("\n").toLowerCase(), labels])).values()];
}

function listed(value: string): string[] {
  if (value.startsWith("{")) return listed(/labels:\s*(\[[^\]]*\]|[^,}]+)/.exec(value)?.[1]?.trim() ?? "[]");
  const inside = value.startsWith("[") ? value.replace(/^\[|\]$/g, "").split(",") : [value];
  return inside.map(unquoted).filter((label) => label !== "");
}

/** A list below the key, or the labels of a map. */
function below(lines: readonly string[], indent: number): string[] {
  const found: string[] = [];
  for (const line of lines) {
    const [, spaces = "", dash, rest = ""] = /^( *)(- *)?(.*)$/.exec(line) ?? [];
    const value = uncommented(rest);
    if (value === "" && dash === undefined) continue;
    if (spaces.length < indent || (spaces.length === indent && dash === undefined)) break;
    if (dash !== undefined) found.push(unquoted(value));
    else if (value.startsWith("labels:")) found.push(...listed(value.slice("labels:".length).trim()));
  }
  return found;
}

function uncommented(text: string): string {
  return text.replace(/(^|\s)#.*$/, "").trim();
}

function unquoted(text: string): string {
  return text.trim().replace(/^["']|["']$/g, "");
}
