/** Marks on text for a terminal that shows them; plain ones leave it as it is. */
export interface Paint {
  heading(text: string): string;
  faint(text: string): string;
  warning(text: string): string;
  good(text: string): string;
}

const same = (text: string) => text;

export const PLAIN: Paint = { heading: same, faint: same, warning: same, good: same };
