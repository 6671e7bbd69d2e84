export type JsonText =
  | { readonly kind: "json"; readonly data: unknown }
  | { readonly kind: "not-json"; readonly problem: string };

/** JSON, or its first mistake with line and column. A byte-order mark at the start is forgiven. */
export function readJson(text: string): JsonText {
  const body = text.replace(/^\uFEFF/, "");
  try {
    return { kind: "json", data: JSON.parse(body) };
  } catch (error) {
    if (body.trim() === "") return { kind: "not-json", problem: "there is nothing in it" };
    const before = body.slice(0, firstMistake(body)).split("\n");
    const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
    return { kind: "not-json", problem: `${withoutPlace((error as Error).message)} at ${place}` };
  }
}

function mistake(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * Node does not always say where the mistake is. A text cut off before its first mistake is merely
 * unfinished, one cut off after it is wrong, so halving finds the place.
 */
function firstMistake(text: string): number {
  let fine = 0;
  let wrong = text.length + 1;
  while (wrong - fine > 1) {
    const middle = (fine + wrong) >> 1;
    if (isUnfinished(text.slice(0, middle))) fine = middle;
    else wrong = middle;
  }
  return fine;
}

function isUnfinished(text: string): boolean {
  const message = mistake(text);
  if (message === null || message.startsWith("Unexpected end") || message.startsWith("Unterminated string"))
    return true;
  const position = /at position (\d+)/.exec(message)?.[1];
  return position !== undefined && Number(position) >= text.length;
}

/** Node quotes the text and counts characters; people count lines. */
function withoutPlace(message: string): string {
  return message
    .replace(/, (\.\.\.)?".*is not valid JSON$/s, "")
    .replace(/( in JSON)? at position.*$/s, "")
    .replace(/ of JSON input$/, "");
}
