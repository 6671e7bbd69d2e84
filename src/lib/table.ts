import { displayWidth } from "./display-width.js";

/** Rows as aligned lines. The last column is left ragged, so that a long title costs the others nothing. */
export function table(rows: readonly (readonly string[])[], gap = "  "): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.slice(0, -1).forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, displayWidth(cell));
    });
  }
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : padded(cell, widths[column] ?? 0)))
      .join(gap)
      .trimEnd(),
  );
}

function padded(cell: string, width: number): string {
  return `${cell}${" ".repeat(Math.max(0, width - displayWidth(cell)))}`;
}
