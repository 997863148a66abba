const GAP = '  '

/** Lines of a table whose columns are as wide as their longest text: the first stands to the left, the others to the right. */
export function textTable(rows: readonly (readonly string[])[]): string[] {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const widths = Array.from({ length: columns }, (_, column) => rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0))
  return rows.map((row) =>
    widths
      .map((width, column) => (column === 0 ? (row[column] ?? '').padEnd(width) : (row[column] ?? '').padStart(width)))
      .join(GAP)
      .trimEnd(),
  )
}
