/** The message of the one commit that stands for several: their first subject, and all of them below. */
export function squashMessage(
  bead: string,
  title: string,
  commits: readonly { readonly subject: string }[],
): string {
  const [first] = commits;
  const list = commits.map(({ subject }) => `- ${subject}`).join("\n");
  return `${first?.subject || title}\n\n${title} (${bead})\n\n${list}\n`;
}
