const REQUIREMENTS = ["requirements.txt", "requirements-dev.txt"] as const;

/**
 * What runs Python with the packages that requirements name, in an environment of its own: a clean checkout has none,
 * and many machines refuse to install beside their own. Null when nothing names any.
 */
export function inVenv(found: ReadonlyMap<string, string>, run: string): readonly string[] | null {
  const files = REQUIREMENTS.filter((file) => found.has(file));
  if (files.length === 0) return null;
  const python = ".venv/bin/python";
  const named = files.map((file) => `-r ${file}`).join(" ");
  return ["python3 -m venv .venv", `${python} -m pip install ${named}`, `${python} ${run}`];
}
