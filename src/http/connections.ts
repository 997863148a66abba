import type { Socket } from 'node:net'

/**
 * The open connections, a bounded number. One more ends the one that is the longest without anything good from it: whoever holds many
 * open and sends nothing good keeps nobody out.
 */
export class Connections {
  readonly #most: number
  /** The one to go first is the first. */
  readonly #open = new Set<Socket>()
  readonly #kept = new Set<Socket>()

  constructor(most: number) {
    this.#most = most
  }

  add(socket: Socket): void {
    for (const first of this.#open) {
      if (this.#open.size + this.#kept.size < this.#most) break
      this.#open.delete(first)
      first.destroy()
    }
    this.#open.add(socket)
    socket.once('close', () => {
      this.#open.delete(socket)
      this.#kept.delete(socket)
    })
  }

  /** Something good came over it. */
  proved(socket: Socket): void {
    if (this.#open.delete(socket)) this.#open.add(socket)
  }

  /** It is in use until it closes, and is not ended for another. Who keeps connections bounds how many. */
  keep(socket: Socket): void {
    if (this.#open.delete(socket)) this.#kept.add(socket)
  }
}
