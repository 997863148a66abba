import type { IncomingMessage } from 'node:http'
import { CornermanError } from '../../core/error.ts'
import { LARGEST_BODY_BYTES } from './appError.ts'

/**
 * Reads the body of a request as JSON. Over the limit it reads no further: answer with `connection: close`.
 *
 * @throws CornermanError `BODY_TOO_LARGE`, `BODY_NOT_JSON`; the latter also where the caller hung up in the middle
 */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const text = await readText(request)
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new CornermanError('BODY_NOT_JSON', 'the body must be JSON')
  }
}

function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  // Not `for await`: leaving that loop early destroys the socket, and the answer with it.
  const take = (chunk: Buffer) => {
    bytes += chunk.length
    chunks.push(chunk)
    if (bytes <= LARGEST_BODY_BYTES) return
    request.off('data', take).pause()
    reject(new CornermanError('BODY_TOO_LARGE', `a body may have up to ${LARGEST_BODY_BYTES} bytes`))
  }
  request.on('data', take)
  request.once('end', () => resolve(Buffer.concat(chunks).toString()))
  const endInTheMiddle = (cause?: Error) => reject(new CornermanError('BODY_NOT_JSON', 'the body ended in the middle', { cause }))
  // An error of a request is that its connection is gone; `close` alone comes where the request was given up without one.
  request.once('error', endInTheMiddle)
  request.once('close', () => endInTheMiddle())
  return promise
}
