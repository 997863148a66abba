/** How many of a rising column's values are not above a limit. */
export function countUpTo(column: Float64Array | Int32Array, limit: number): number {
  let low = 0
  let high = column.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((column[middle] ?? Number.POSITIVE_INFINITY) <= limit) low = middle + 1
    else high = middle
  }
  return low
}
