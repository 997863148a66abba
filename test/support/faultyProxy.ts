import { request } from 'undici'
import { keyedRandom } from '../../src/core/random.ts'
import { type RawCall, startRawServer } from './rawServer.ts'

/** Shares of the requests: cut off before the service sees them, and after it has answered. */
export interface Faults {
  readonly dropBefore: number
  readonly dropAfter: number
}

export interface FaultyProxy extends AsyncDisposable {
  readonly url: string
  /** Actions that were cut off, by how. */
  readonly dropped: { before: number; after: number }
}

/** Stands before a service and loses requests and answers, by a seeded random stream, for as long as `isOn` says. */
export async function startFaultyProxy(
  target: string,
  { faults, seed, isOn }: { faults: Faults; seed: number; isOn: () => boolean },
): Promise<FaultyProxy> {
  const random = keyedRandom('faulty proxy', seed)
  const dropped = { before: 0, after: 0 }
  const server = await startRawServer((call) => void pass(call))
  async function pass(call: RawCall): Promise<void> {
    const [before, after] = [random.next() < faults.dropBefore, random.next() < faults.dropAfter]
    const isAction = call.method === 'POST'
    if (isOn() && before) {
      if (isAction) dropped.before += 1
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
    if (isOn() && after) {
      if (isAction) dropped.after += 1
      call.reset()
      return
    }
    call.response.writeHead(answer.statusCode, { 'content-type': 'application/json' }).end(text)
  }
  return { url: server.url, dropped, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}
