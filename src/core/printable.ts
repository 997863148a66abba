/** Control characters, line separators, and marks that turn the direction of text around. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/gu

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * Text of somebody else's, for a line on a terminal: what would end the line, move the cursor or turn the words around stands as its escape.
 *
 * @example printable('won\n\u202eLOST') // 'won\\n\\u202eLOST'
 */
export const printable = (text: string): string =>
  text.replace(UNPRINTABLE, (mark) => SHORT[mark] ?? `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`)
