import { request } from 'undici'
import { type RawCall, startRawServer } from './rawServer.ts'

/** Of every five actions of one kind, the first is lost before the service sees it, the third after it has answered. */
const ACTIONS = { period: 5, before: 0, after: 2 }
/** Of every thirty reads of one kind, likewise. */
const READS = { period: 30, before: 7, after: 21 }

export interface FaultyProxy extends AsyncDisposable {
  readonly url: string
  /** Actions that were cut off, by how. */
  readonly lost: { before: number; after: number }
}

/** Stands before a service and loses requests and answers, by count: no run is unluckier than another. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const seen = new Map<string, number>()
  const server = await startRawServer((call) => void pass(call))
  async function pass(call: RawCall): Promise<void> {
    const [procedure = ''] = call.path.split('?')
    const isAction = call.method === 'POST'
    const { period, before, after } = isAction ? ACTIONS : READS
    const count = seen.get(procedure) ?? 0
    seen.set(procedure, count + 1)
    const isLost = (when: number) => count % period === when
    if (isLost(before)) {
      if (isAction) proxy.lost.before += 1
      call.reset()
      return
    }
    const { 'x-agent-key': key, 'content-type': type } = call.headers
    const answer = await request(target + call.path, {
      method: isAction ? 'POST' : 'GET',
      headers: { ...(typeof key === 'string' ? { 'x-agent-key': key } : {}), ...(type === undefined ? {} : { 'content-type': type }) },
      ...(isAction ? { body: call.body } : {}),
    })
    const text = await answer.body.text()
    if (isLost(after)) {
      if (isAction) proxy.lost.after += 1
      call.reset()
      return
    }
    const { date } = answer.headers
    call.response.writeHead(answer.statusCode, { 'content-type': 'application/json', date: String(date) }).end(text)
  }
  const proxy: FaultyProxy = {
    url: server.url,
    lost: { before: 0, after: 0 },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
  return proxy
}
