import { once } from 'node:events'
import { createConnection, createServer, type Server, type Socket } from 'node:net'

/** What was done before an answer has been done by then, by another process too. */
const ACTED_MS = 20

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
  #watched: { readonly words: string; readonly act: () => void } | undefined

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

  /** Acts once, as the answer to a request with these words is about to pass. @returns forgets it */
  beforeAnswer(words: string, act: () => void): () => void {
    const watched = { words, act }
    this.#watched = watched
    return () => {
      if (this.#watched === watched) this.#watched = undefined
    }
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #join(near: Socket): void {
    const far = createConnection({ port: this.#target, host: '127.0.0.1' })
    let before: (() => void) | undefined
    this.#carry(near, far, (chunk) => {
      this.#note(chunk)
      if (this.#watched === undefined || !chunk.includes(this.#watched.words)) return undefined
      before = this.#watched.act
      this.#watched = undefined
      return undefined
    })
    this.#carry(far, near, () => {
      const act = before
      before = undefined
      return act
    })
  }

  #carry(from: Socket, to: Socket, note: (chunk: Buffer) => (() => void) | undefined): void {
    this.#sockets.add(from)
    if (this.#isCut) from.pause()
    from.on('data', (chunk) => {
      const act = note(chunk)
      if (act === undefined) {
        to.write(chunk)
        return
      }
      from.pause()
      act()
      setTimeout(() => {
        to.write(chunk)
        from.resume()
      }, ACTED_MS)
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
