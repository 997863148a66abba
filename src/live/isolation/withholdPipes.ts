import type { Socket } from 'node:net'

/**
 * Takes from this process the means to bind, open and connect unix sockets (named pipes on Windows). The permission model of Node 24 leaves
 * them, and the lock of an agent is one. Every handle of this kind, by whatever module, has its methods from one prototype.
 *
 * @param channel a socket of this kind that is open
 */
export function withholdPipes(channel: Socket): void {
  // They open theirs when they are first asked for.
  void [process.stdout, process.stderr]
  const { _handle: handle } = channel as unknown as { readonly _handle: object }
  const prototype = Object.getPrototypeOf(handle) as object
  for (const name of Object.getOwnPropertyNames(prototype)) {
    if (name !== 'constructor') Object.defineProperty(prototype, name, { value: refuse, writable: false, configurable: false })
  }
}

function refuse(): never {
  throw new Error('an isolated strategy opens no unix sockets and no named pipes')
}
