import { Agent, request } from 'undici'
import { z } from 'zod'
import { invariant } from '../../../src/core/error.ts'
import { type RawCall, type RawServer, startRawServer } from '../rawServer.ts'
import { type Cell, PROCEDURES, WIRE_POINTS, type WirePoint } from './cells.ts'

/** A bot that is to be killed when its action has come so far. */
interface Armed {
  readonly cell: Cell
  readonly kill: () => void
}

const isCreated = z.object({ result: z.object({ data: z.object({ json: z.object({ contestId: z.string() }) }) }) })

/** Stands before the sandbox, and kills bots when the bytes of their action have come. */
export class WireCrash implements AsyncDisposable {
  readonly #server: RawServer
  readonly #dispatcher = new Agent({ connections: 64 })
  readonly #armed = new Map<string, Armed>()

  /** The agent that sits down in every prediction contest that is created, and does nothing there. */
  readonly #opponent: string

  private constructor(server: RawServer, target: string, opponent: string) {
    this.#server = server
    this.#opponent = opponent
    server.answer = (call) => void this.#pass(call, target)
  }

  static async before(target: string, opponent: string): Promise<WireCrash> {
    return new WireCrash(await startRawServer(), target, opponent)
  }

  get url(): string {
    return this.#server.url
  }

  /** Kills the bot of this key the first time its action comes by. */
  arm(key: string, armed: Armed): void {
    if ((WIRE_POINTS as readonly string[]).includes(armed.cell.point)) this.#armed.set(key, armed)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]()
    await this.#dispatcher.destroy()
  }

  async #pass(call: RawCall, target: string): Promise<void> {
    const { 'x-agent-key': key = '' } = call.headers
    const armed = this.#armed.get(String(key))
    const point = armed !== undefined && isAbout(call, armed.cell) ? (armed.cell.point as WirePoint) : undefined
    if (point !== undefined) this.#armed.delete(String(key))
    if (point === 'receivedAndLost' || point === 'receivedAndDone') armed?.kill()
    if (point === 'receivedAndLost') return
    const answer = await this.#send(target, call, String(key))
    const text = await answer.body.text()
    if (call.path === `/${PROCEDURES.createContest}` && call.body.includes('price_prediction')) await this.#sitDown(target, text)
    if (point === 'answered') {
      armed?.kill()
      return
    }
    if (!call.response.destroyed)
      call.response.writeHead(answer.statusCode, { 'content-type': 'application/json', date: String(answer.headers.date) }).end(text)
  }

  #send(target: string, { method, path, body }: Pick<RawCall, 'method' | 'path' | 'body'>, key: string) {
    const isAction = method === 'POST'
    return request(target + path, {
      method: isAction ? 'POST' : 'GET',
      headers: { 'x-agent-key': key, ...(isAction ? { 'content-type': 'application/json' } : {}) },
      dispatcher: this.#dispatcher,
      ...(isAction ? { body } : {}),
    })
  }

  async #sitDown(target: string, created: string): Promise<void> {
    const { contestId } = isCreated.parse(JSON.parse(created)).result.data.json
    for (const type of ['joinContest', 'ready'] as const) {
      const action = { method: 'POST', path: `/${PROCEDURES[type]}`, body: JSON.stringify({ json: { contestId } }) }
      const answer = await this.#send(target, action, this.#opponent)
      const text = await answer.body.text()
      invariant(answer.statusCode === 200, `nobody sat down: ${type}`, { text })
    }
  }
}

/** A swap is of a contest; what is left of a contest is sold in none. */
function isAbout({ method, path, body }: RawCall, { type }: Cell): boolean {
  if (method !== 'POST' || path !== `/${PROCEDURES[type]}`) return false
  if (type !== 'swap' && type !== 'sweep') return true
  const { json } = JSON.parse(body) as { json: { contestId?: string } }
  return (json.contestId !== undefined) === (type === 'swap')
}
