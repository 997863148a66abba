/**
 * Writes base units as a decimal, exactly and without needless zeros: `formatUnits(-1_500n, 3)` is `'-1.5'`.
 *
 * @param decimals base units in one, as a power of ten
 * @param least decimals that are written even where they are zeros
 */
export function formatUnits(units: bigint, decimals: number, least = 0): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  let end = digits.length
  while (end > point + least && digits[end - 1] === '0') end--
  const fraction = end === point ? '' : `.${digits.slice(point, end)}`
  return `${units < 0n ? '-' : ''}${digits.slice(0, point)}${fraction}`
}
