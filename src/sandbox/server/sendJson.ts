import type { ServerResponse } from 'node:http'
import type { JsonAnswer } from './jsonAnswer.ts'

/** Sends an answer in one piece. Its head is left to `end`, which knows the length: after `writeHead` it would come in chunks. */
export function sendJson(response: ServerResponse, { status, body }: JsonAnswer): void {
  response.statusCode = status
  sendText(response, JSON.stringify(body))
}

/** Sends what is JSON text already. */
export function sendText(response: ServerResponse, text: string): void {
  response.setHeader('content-type', 'application/json').end(text)
}
