import stringWidth from 'string-width'

/** A cell of a table: what is right-aligned are figures. */
export interface Cell {
  readonly text: string
  readonly align?: 'right'
}

const GAP = '  '

/** Cells under one another, each column as wide as its widest cell. Colours take no room. */
export function columnsOf(rows: readonly (readonly Cell[])[]): string[] {
  const widths: number[] = []
  for (const row of rows) for (const [column, { text }] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, stringWidth(text))
  return rows.map((row) =>
    row
      .map(({ text, align }, column) => {
        const padding = ' '.repeat((widths[column] ?? 0) - stringWidth(text))
        return align === 'right' ? padding + text : text + padding
      })
      .join(GAP)
      .trimEnd(),
  )
}
