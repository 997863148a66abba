import { tokenOf, tokenOfMint } from '../core/tokens.ts'

const MASK = '***'
const SECRET_NAME = /key|secret|password/i
const TOKEN_NAME = /token/i
/** Addresses shorter than this are so few that they are in the table of tokens. */
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{43,44}$/

/**
 * Parameters as recordings, reports and pages have them: texts whose name says key, secret, password or token are masked, those within
 * such a one too. A token that is a mint or a known symbol is none, and nor is an empty text.
 */
export function shownParams(params: unknown): unknown {
  return shown(params, '')
}

/**
 * The value itself where nothing is masked in it.
 *
 * @param name the names it stands under, one after the other
 */
function shown(value: unknown, name: string): unknown {
  if (typeof value === 'string') return isSecret(value, name) ? MASK : value
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return value
  const entries = Object.entries(value).map(([key, item]) => [key, shown(item, `${name}.${key}`)] as const)
  if (entries.every(([key, item]) => item === (value as Readonly<Record<string, unknown>>)[key])) return value
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries)
}

/** Whether a text that stands under this name may not be shown. */
export function isSecret(text: string, name: string): boolean {
  if (text === '') return false
  return SECRET_NAME.test(name) || (TOKEN_NAME.test(name) && !isMint(text) && tokenOf(text) === undefined)
}

const isMint = (text: string): boolean => tokenOfMint(text) !== undefined || ADDRESS.test(text)
