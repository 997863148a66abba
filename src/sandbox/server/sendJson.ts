import type { ServerResponse } from 'node:http'
import type { JsonAnswer } from './jsonAnswer.ts'

/** Sends an answer in one piece. Its head is left to `end`, which knows the length: after `writeHead` it would come in chunks. */
export function sendJson(response: ServerResponse, { status, body, headers = {} }: JsonAnswer): void {
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  sendText(response, JSON.stringify(body))
}

/** Sends what is JSON text already. */
export function sendText(response: ServerResponse, text: string): void {
  response.setHeader('content-type', 'application/json').end(text)
}
