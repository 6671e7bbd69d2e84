/** Colours and the like, which take no place. */
const MARKS = /\u001b\[[\d;]*m/g;
const NARROW = /^[\u0020-\u007e]*$/;
const NOTHING = /\p{Mn}|\p{Me}|\u200d|\ufe0f/u;
/** Where in doubt, wide: a line that is too short does no harm, one that wraps moves everything below it. */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** How many columns of a terminal a line takes. */
export function displayWidth(text: string): number {
  const shown = text.includes("\u001b") ? text.replace(MARKS, "") : text;
  if (NARROW.test(shown)) return shown.length;
  let width = 0;
  for (const character of shown) width += columnsOf(character);
  return width;
}

/** At most so many columns, the last of them an ellipsis where something was left out. For text without marks. */
export function cutToWidth(text: string, columns: number): string {
  // No character has more than two code units and less than no width; the rest of a very long text is never looked at.
  const start = text.slice(0, 8 * columns + 8);
  if (start.length === text.length && displayWidth(text) <= columns) return text;
  let [cut, width] = ["", 0];
  for (const character of start) {
    width += columnsOf(character);
    if (width > columns - 1) break;
    cut += character;
  }
  return columns < 1 ? "" : `${cut}…`;
}

function columnsOf(character: string): number {
  if (NOTHING.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
