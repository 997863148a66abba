import { once } from 'node:events'
import { createConnection, createServer, type Server, type Socket } from 'node:net'

/** A POST as it came through, whole or not. */
export interface SeenPost {
  /** Unix milliseconds. */
  readonly at: number
  readonly agentKey: string
  readonly procedure: string
}

/** The way of one host to somewhere else on this machine: it can be cut without either side being told. */
export class Link {
  readonly posts: SeenPost[] = []
  readonly #server: Server
  readonly #target: number
  readonly #sockets = new Set<Socket>()
  #isCut = false

  static async to(targetPort: number): Promise<Link> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new Link(server, targetPort)
  }

  private constructor(server: Server, target: number) {
    this.#server = server
    this.#target = target
    server.on('connection', (near) => this.#join(near))
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port
  }

  /** Nothing passes, in neither direction, and no connection ends of it. */
  cut(): void {
    this.#isCut = true
    for (const socket of this.#sockets) socket.pause()
  }

  /** What is on the way passes now. */
  heal(): void {
    this.#isCut = false
    for (const socket of this.#sockets) socket.resume()
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #join(near: Socket): void {
    const far = createConnection({ port: this.#target, host: '127.0.0.1' })
    this.#carry(near, far, (chunk) => this.#note(chunk))
    this.#carry(far, near, () => {})
  }

  #carry(from: Socket, to: Socket, note: (chunk: Buffer) => void): void {
    this.#sockets.add(from)
    if (this.#isCut) from.pause()
    from.on('data', (chunk) => {
      note(chunk)
      to.write(chunk)
    })
    from.on('end', () => to.end())
    // A reset is passed on as one.
    from.on('error', () => to.resetAndDestroy())
    from.on('close', () => {
      this.#sockets.delete(from)
      to.destroy()
    })
  }

  #note(chunk: Buffer): void {
    const [, procedure = ''] = /^POST \/([\w.]+)/.exec(chunk.toString('latin1', 0, 200)) ?? []
    if (procedure === '') return
    const [, agentKey = ''] = /x-agent-key: (\S+)/i.exec(chunk.toString('latin1', 0, 2000)) ?? []
    this.posts.push({ at: Date.now(), agentKey, procedure })
  }
}
