/**
 * One record of CSV, without its line end, as RFC 4180 writes it: what has a comma, a quotation mark or a line end in it stands in
 * quotation marks. What is undefined is an empty field.
 *
 * @example csvLine(['up_down', 'said "no"', undefined, 2]) // up_down,"said ""no""",,2
 */
export const csvLine = (fields: readonly (string | number | undefined)[]): string => fields.map(fieldOf).join(',')

const fieldOf = (value: string | number | undefined): string =>
  typeof value === 'string' && /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : String(value ?? '')
