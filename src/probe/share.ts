import { hash } from 'node:crypto'
import { TOKENS } from '../core/tokens.ts'
import type { Exchange } from './exchange.ts'
import { outputOf } from './exchange.ts'
import type { Facts } from './facts.ts'

// A recording that may be shown to others: who played it is not in it. What `find` says of it stays the same.

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
const ADDRESS = /[1-9A-HJ-NP-Za-km-z]{32,44}/g
const WHOLE_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** Keys whose texts name somebody, and keys whose addresses are somebody's. */
const NAMES = /^(?:handle|username|user_?name|nick(?:name)?|display_?name|screen_?name|login|email)$/i
const WALLETS = /wallet|owner|payer|authority|address$/i

export interface Shared {
  readonly exchanges: readonly Exchange[]
  readonly facts: Facts
}

/**
 * Puts stand-ins of the same form for ids, handles and wallets: one text has the same one throughout. Mints stay.
 *
 * @param secret what the stand-ins are made with; whoever has it can make them again
 */
export function shared({ exchanges, facts }: Shared, secret: string): Shared {
  const names = new Set<string>()
  const wallets = new Set<string>()
  const mints = new Set(TOKENS.map(({ mint }) => mint))
  for (const exchange of exchanges) note(exchange.body, { names, wallets })
  for (const text of handlesIn(exchanges)) names.add(text)
  const swap = (text: string): string => {
    if (names.has(text)) return nameFor(text, secret)
    const withoutIds = text.replace(UUID, (id) => uuidFor(id, secret))
    return withoutIds.replace(ADDRESS, (address) => (wallets.has(address) && !mints.has(address) ? addressFor(address, secret) : address))
  }
  return {
    exchanges: exchanges.map((exchange) => ({ ...exchange, input: changed(exchange.input, swap), body: changed(exchange.body, swap) })),
    facts: changed(facts, swap) as Facts,
  }
}

interface Named {
  readonly names: Set<string>
  readonly wallets: Set<string>
}

/** What stands under a key that is somebody's. */
function note(value: unknown, named: Named, key = ''): void {
  if (typeof value === 'string') {
    if (NAMES.test(key)) named.names.add(value)
    if (WALLETS.test(key) && WHOLE_ADDRESS.test(value)) named.wallets.add(value)
  } else if (Array.isArray(value)) for (const item of value) note(item, named, key)
  else if (typeof value === 'object' && value !== null) for (const [inner, item] of Object.entries(value)) note(item, named, inner)
}

/** What the agent calls itself stands elsewhere under other keys: each text of `agent` in `agent.me` that is on no list of words. */
function handlesIn(exchanges: readonly Exchange[]): readonly string[] {
  const me = exchanges.find(({ procedure }) => procedure === 'agent.me')
  const output = me === undefined ? undefined : outputOf(me)
  const agent = typeof output === 'object' && output !== null ? (output as { agent?: unknown }).agent : undefined
  const texts = typeof agent === 'object' && agent !== null ? Object.entries(agent) : []
  return texts.flatMap(([key, value]) => ((NAMES.test(key) || key.toLowerCase() === 'name') && typeof value === 'string' ? [value] : []))
}

function changed(value: unknown, swap: (text: string) => string): unknown {
  if (typeof value === 'string') return swap(value)
  if (Array.isArray(value)) return value.map((item: unknown) => changed(item, swap))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [swap(key), changed(item, swap)]))
}

const digest = (kind: string, text: string, secret: string): string => hash('sha256', `${secret} ${kind} ${text}`)

/** The version and the variant stay, and of one that is ordered by its time the time. */
function uuidFor(id: string, secret: string): string {
  const hex = digest('id', id.toLowerCase(), secret)
  const kept = id[14] === '7' ? id.slice(0, 13) : `${hex.slice(0, 8)}-${hex.slice(8, 12)}`
  return `${kept}-${id[14]}${hex.slice(13, 16)}-${id[19]}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Letters for letters and digits for digits. */
function nameFor(name: string, secret: string): string {
  const hex = digest('name', name, secret)
  return [...name].map((mark, index) => standIn(mark, Number.parseInt(hex.slice((index * 2) % 60, ((index * 2) % 60) + 2), 16))).join('')
}

function standIn(mark: string, drawn: number): string {
  if (/[0-9]/.test(mark)) return String(drawn % 10)
  if (/[a-z]/.test(mark)) return String.fromCharCode(97 + (drawn % 26))
  return /[A-Z]/.test(mark) ? String.fromCharCode(65 + (drawn % 26)) : mark
}

function addressFor(address: string, secret: string): string {
  const hex = digest('wallet', address, secret) + digest('wallet, on', address, secret)
  return [...address].map((_, index) => BASE58[Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16) % BASE58.length]).join('')
}
