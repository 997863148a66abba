import { request } from 'undici'
import { type RawCall, type RawServer, startRawServer } from './rawServer.ts'

/** An answer of the service, before it reaches the bot. */
export interface HonestAnswer {
  readonly procedure: string
  readonly isAction: boolean
  /** Of the agent, and of the procedure, how many came before. */
  readonly count: number
  readonly agent: string
  readonly status: number
  readonly date: string
  readonly text: string
}

/** What is answered instead; `undefined`: as it is. */
export type Lie = (
  answer: HonestAnswer,
  call: RawCall,
) => { status?: number; date?: string; text?: string; headers?: Record<string, string> } | 'answered' | undefined

/** Stands before a sandbox, does what it is asked to, and lies about it. */
export async function startLyingService(target: string, lie: Lie): Promise<RawServer & { readonly told: { lies: number } }> {
  const counts = new Map<string, number>()
  const told = { lies: 0 }
  const server = await startRawServer((call) => void pass(call))
  async function pass(call: RawCall): Promise<void> {
    const [procedure = ''] = call.path.slice(1).split('?')
    const isAction = call.method === 'POST'
    const { 'x-agent-key': agent = '', 'content-type': type } = call.headers
    const place = `${String(agent)} ${procedure}`
    const count = counts.get(place) ?? 0
    counts.set(place, count + 1)
    const answer = await request(target + call.path, {
      method: isAction ? 'POST' : 'GET',
      headers: { 'x-agent-key': String(agent), ...(type === undefined ? {} : { 'content-type': type }) },
      ...(isAction ? { body: call.body } : {}),
    })
    const honest: HonestAnswer = {
      ...{ procedure, isAction, count, agent: String(agent), status: answer.statusCode, date: String(answer.headers.date) },
      text: await answer.body.text(),
    }
    const lied = lie(honest, call)
    if (lied !== undefined) told.lies += 1
    if (lied === 'answered') return
    const { status = honest.status, date = honest.date, text = honest.text, headers = {} } = lied ?? {}
    call.response.writeHead(status, { 'content-type': 'application/json', date, ...headers }).end(text)
  }
  return Object.assign(server, { told })
}

type Json = Record<string, unknown>

/** The page of `agent.events`, with other events in it; undefined of any other answer. */
export function withEvents({ procedure, status, text }: HonestAnswer, change: (events: Json[]) => Json[]): { text: string } | undefined {
  if (procedure !== 'agent.events' || status !== 200) return undefined
  const body = JSON.parse(text) as { result: { data: { json: { events: Json[] } } } }
  const page = body.result.data.json
  if (page.events.length === 0) return undefined
  const events = change(page.events)
  if (JSON.stringify(events) === JSON.stringify(page.events)) return undefined
  page.events = events
  return { text: JSON.stringify(body) }
}
