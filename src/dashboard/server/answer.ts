import type { ServerResponse } from 'node:http'

/** Said with every answer: nothing of others runs in the page, and no other page may frame it, read it or know where it came from. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

/** How a request is refused. */
const REFUSALS = {
  badRequest: [400, 'the request cannot be read'],
  noSession: [401, 'open the address that start printed: it has the token'],
  wrongToken: [401, 'the token is not the one that start printed'],
  otherHost: [421, 'this name leads here, but is not one that the dashboard answers to: use the address that start printed'],
  otherSite: [403, 'only the page itself may ask this'],
  notFound: [404, 'nothing is here'],
  noSuchBot: [404, 'there is no bot of this name'],
  notAllowed: [405, 'not by this method'],
  tooLarge: [413, 'too much was sent'],
  noJson: [415, 'send JSON'],
  tooManyTokens: [429, 'too many wrong tokens came from this address: the right one is let in at once'],
  failed: [500, 'that did not work: the log says why'],
  tooManyReaders: [503, 'too many pages are open'],
} as const satisfies Readonly<Record<string, readonly [status: number, message: string]>>
export type Refusal = keyof typeof REFUSALS

export function refuse(response: ServerResponse, reason: Refusal): void {
  const [status, message] = REFUSALS[reason]
  // What was not read of a request would be taken for the next one.
  if (!response.req.complete) response.setHeader('connection', 'close')
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify({ reason, message }))
}

/** It was asked for in order, and not done. */
export function answerUndone(response: ServerResponse, message: string): void {
  response.writeHead(409, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify({ reason: 'notDone', message }))
}

/** It was done, and there is something to know of it. */
export function answerMessage(response: ServerResponse, message: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify({ message }))
}

export function answerEmpty(response: ServerResponse, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(204, { 'cache-control': 'no-store', ...headers }).end()
}
