import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CornermanError, messageOf } from '../../core/error.ts'
import type { Usdc } from '../../core/usdc.ts'
import { TOKEN_VARIABLE } from '../../dashboard/settings.ts'
import { connectionsTo } from '../../live/outgoing.ts'
import { readRunNotes } from '../control.ts'
import { EXIT } from '../exit.ts'

export interface OrderOptions {
  readonly bot: string
  readonly dataDir: string
  readonly json?: boolean
}

export interface SellOptions extends OrderOptions {
  readonly contest: string
  /** In base units. */
  readonly amount: bigint
}

/** Longer than the server waits for what becomes of an order. */
const TIMEOUT_MS = 30_000
const MOST_ANSWER_BYTES = 64 * 1024

export const leave = (contestId: string, options: OrderOptions): Promise<number> => order({ type: 'leaveContest', contestId }, options)
export const cancel = (ticketId: string, options: OrderOptions): Promise<number> => order({ type: 'cancelTicket', ticketId }, options)
export const acknowledge = (amount: Usdc, options: OrderOptions): Promise<number> =>
  order({ type: 'acknowledge', amount: amount.toString() }, options)
export const closeEntry = (key: string, options: OrderOptions): Promise<number> => order({ type: 'closeEntry', key }, options)
export const sell = (mint: string, { contest, amount, ...options }: SellOptions): Promise<number> =>
  order({ type: 'sell', contestId: contest, mint, amount: amount.toString() }, options)

/** An order is of this moment: it is told to the process that plays, as its page does it, and not left for a later one. */
async function order(ordered: Readonly<Record<string, string>>, { bot, dataDir, json }: OrderOptions): Promise<number> {
  const { origin, token } = addressOf(dataDir)
  const server = connectionsTo(origin, { timeoutMs: TIMEOUT_MS, connections: 1, maxResponseSize: MOST_ANSWER_BYTES })
  const post = async (path: string, content: unknown, cookie = '') => {
    const headers = { 'content-type': 'application/json', origin, cookie }
    const answer = await server.request({ method: 'POST', path, headers, body: JSON.stringify(content) })
    const text = await answer.body.text()
    const { message } = (text === '' ? {} : JSON.parse(text)) as { readonly message?: string }
    return { status: answer.statusCode, message, cookie: String(answer.headers['set-cookie'] ?? '').split(';')[0] }
  }
  try {
    const session = await post('/session', { token })
    const { status, message = 'done' } = session.status === 204 ? await post('/order', { bot, order: ordered }, session.cookie) : session
    const isDone = status === 200 || status === 204
    process.stdout.write(json === true ? `${JSON.stringify({ isDone, message })}\n` : `${bot}: ${isDone ? '' : 'not done: '}${message}\n`)
    return isDone ? EXIT.done : EXIT.failed
  } catch (cause) {
    throw new CornermanError(
      'DASHBOARD_UNREACHABLE',
      `order: ${origin} does not answer (${messageOf(cause)}). Whether it was done, the log of start says`,
      { cause },
    )
  } finally {
    await server.destroy()
  }
}

/** @throws CornermanError `USAGE` where nothing runs that can be told */
function addressOf(dataDir: string): { readonly origin: string; readonly token: string } {
  const nothing = (why: string) => new CornermanError('USAGE', `order: ${why}. Nothing was ordered`)
  if (readRunNotes(dataDir).length === 0) throw nothing(`nothing runs on ${dataDir}: name the bots' data directory with --data-dir`)
  let url: URL | null = null
  try {
    url = URL.parse(readFileSync(join(dataDir, 'dashboard.url'), 'utf8').trim())
  } catch {
    // The same as one that says nothing.
  }
  if (url === null) throw nothing(`what runs on ${dataDir} has no page, by which it would be told: start it without --no-dashboard`)
  const token = new URLSearchParams(url.hash.slice(1)).get('token') ?? process.env[TOKEN_VARIABLE] ?? ''
  if (token === '') throw nothing(`the page has a token of your own: set ${TOKEN_VARIABLE} to it`)
  return { origin: url.origin, token }
}
