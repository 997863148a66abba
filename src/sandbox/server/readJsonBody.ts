import type { IncomingMessage } from 'node:http'
import { CornermanError } from '../../core/error.ts'
import { readRawBody } from '../../http/index.ts'
import { LARGEST_BODY_BYTES } from './appError.ts'

/**
 * Reads the body of a request as JSON. Over the limit it reads no further: answer with `connection: close`.
 *
 * @throws CornermanError `BODY_TOO_LARGE`, `BODY_NOT_JSON`; the latter also where the caller hung up in the middle
 */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const body = await readRawBody(request, LARGEST_BODY_BYTES)
  if (body === 'tooLarge') throw new CornermanError('BODY_TOO_LARGE', `a body may have up to ${LARGEST_BODY_BYTES} bytes`)
  if (body === 'cutOff') throw new CornermanError('BODY_NOT_JSON', 'the body ended in the middle')
  try {
    return JSON.parse(body.toString()) as unknown
  } catch {
    throw new CornermanError('BODY_NOT_JSON', 'the body must be JSON')
  }
}
