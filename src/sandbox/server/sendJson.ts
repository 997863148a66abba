import type { ServerResponse } from 'node:http'
import type { JsonAnswer } from './priceApi.ts'

export function sendJson(response: ServerResponse, { status, body }: JsonAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
