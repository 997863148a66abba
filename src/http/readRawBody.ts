import type { IncomingMessage } from 'node:http'

const FIRST_BYTES = 4096

/**
 * The exact bytes of a request's body. `tooLarge` as soon as it is known, and nothing more is read then: answer with
 * `connection: close`. `cutOff`: the caller is gone.
 */
export function readRawBody(request: IncomingMessage, mostBytes: number): Promise<Buffer | 'tooLarge' | 'cutOff'> {
  const { promise, resolve } = Promise.withResolvers<Buffer | 'tooLarge' | 'cutOff'>()
  if (Number(request.headers['content-length']) > mostBytes) {
    resolve('tooLarge')
    return promise
  }
  // One buffer, not a list: a body that comes byte by byte takes no more room than another.
  let body = Buffer.allocUnsafe(FIRST_BYTES)
  let length = 0
  const take = (chunk: Buffer) => {
    const needed = length + chunk.length
    if (needed > mostBytes) {
      request.off('data', take).pause()
      resolve('tooLarge')
      return
    }
    if (needed > body.length) body = Buffer.concat([body.subarray(0, length)], Math.min(mostBytes, Math.max(needed, body.length * 2)))
    chunk.copy(body, length)
    length = needed
  }
  request.on('data', take)
  request.once('end', () => resolve(body.subarray(0, length)))
  request.once('error', () => resolve('cutOff'))
  // Comes after `end` too, which then has the last word.
  request.once('close', () => resolve('cutOff'))
  return promise
}
