import { Agent, request } from 'undici'
import { type RawCall, type RawServer, startRawServer } from '../rawServer.ts'
import { type Cell, PROCEDURES, WIRE_POINTS, type WirePoint } from './cells.ts'

/** A bot that is to be killed when its action has come so far. */
interface Armed {
  readonly cell: Cell
  readonly kill: () => void
}

/** Stands before the sandbox, and kills bots when the bytes of their action have come. */
export class WireCrash implements AsyncDisposable {
  readonly #server: RawServer
  readonly #dispatcher = new Agent({ connections: 64 })
  readonly #armed = new Map<string, Armed>()

  private constructor(server: RawServer, target: string) {
    this.#server = server
    server.answer = (call) => void this.#pass(call, target)
  }

  static async before(target: string): Promise<WireCrash> {
    return new WireCrash(await startRawServer(), target)
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
    const isAction = call.method === 'POST'
    const answer = await request(target + call.path, {
      method: isAction ? 'POST' : 'GET',
      headers: { 'x-agent-key': String(key), ...(isAction ? { 'content-type': 'application/json' } : {}) },
      dispatcher: this.#dispatcher,
      ...(isAction ? { body: call.body } : {}),
    })
    const text = await answer.body.text()
    if (point === 'answered') {
      armed?.kill()
      return
    }
    if (!call.response.destroyed)
      call.response.writeHead(answer.statusCode, { 'content-type': 'application/json', date: String(answer.headers.date) }).end(text)
  }
}

/** A swap is of a contest; what is left of a contest is sold in none. */
function isAbout({ method, path, body }: RawCall, { type }: Cell): boolean {
  if (method !== 'POST' || path !== `/${PROCEDURES[type]}`) return false
  if (type !== 'swap' && type !== 'sweep') return true
  const { json } = JSON.parse(body) as { json: { contestId?: string } }
  return (json.contestId !== undefined) === (type === 'swap')
}
