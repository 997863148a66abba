import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Systems hand out ports above these, to servers that ask for any and to every connection: Linux from 32768 on, others
// from 49152.
const FIRST = 20_000
const LAST = 32_767
const TRIES = 100

/**
 * A free port of 127.0.0.1 for a server that is closed and opened again. While it is closed, nobody else is given its port,
 * as could happen to one that the system chose.
 */
export async function lastingPort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = randomInt(FIRST, LAST + 1)
    if (await isFree(port)) return port
  }
  throw new Error(`${TRIES} ports from ${FIRST} to ${LAST} were tried, and none is free`)
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
