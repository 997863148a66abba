import { type IncomingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Json, Patch } from '../../src/dashboard/stream/patch.ts'
import { patched } from '../../src/dashboard/stream/patched.ts'
import type { Shown } from '../../src/dashboard/stream/shown.ts'

export interface Asked {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface AskOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A request as any program can make it: no header is added but `host`, and that one can be another. The path goes as it is. */
export async function ask(address: string, path: string, { method = 'GET', headers = {}, body = '' }: AskOptions = {}): Promise<Asked> {
  const { hostname, port } = new URL(address)
  const { promise, resolve, reject } = Promise.withResolvers<Asked>()
  const asked = request({ host: hostname.replace(/[[\]]/g, ''), port, path, method, headers, agent: false })
  asked.once('error', reject)
  asked.once('response', (response) => {
    text(response).then((read) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: read }), reject)
  })
  asked.end(body)
  return promise
}

/** A POST as the page makes it. */
export const fromPage = (address: string, content: unknown, headers: Readonly<Record<string, string>> = {}): AskOptions => ({
  method: 'POST',
  body: JSON.stringify(content),
  headers: { 'content-type': 'application/json', origin: new URL(address).origin, 'sec-fetch-site': 'same-origin', ...headers },
})

/** A stream as the page reads it. */
export interface Followed {
  readonly status: number
  readonly events: readonly { readonly name: string; readonly data: unknown }[]
  /** What a page shows after the events so far. */
  shown(): Shown
  /** Takes nothing more from the wire. */
  pause(): void
  resume(): void
  /** @returns when it is so; a test that waits for what does not come runs into its time limit */
  until(isSo: () => boolean): Promise<void>
  readonly ended: Promise<void>
  close(): void
}

export async function follow(address: string, path: string, headers: Readonly<Record<string, string>>): Promise<Followed> {
  const { hostname, port } = new URL(address)
  const { promise, resolve, reject } = Promise.withResolvers<Followed>()
  const asked = request({ host: hostname, port, path, headers, agent: false })
  asked.once('error', reject)
  asked.once('response', (response) => {
    const events: { name: string; data: unknown }[] = []
    const waiting = new Set<() => void>()
    const ended = Promise.withResolvers<void>()
    let state: Json = null
    let rest = ''
    response.setEncoding('utf8')
    response.on('data', (part: string) => {
      const blocks = (rest + part).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const [, name = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
        if (name === '') continue
        const read = JSON.parse(data) as { readonly shown: Json; readonly patch: Patch }
        events.push({ name, data: read })
        if (name === 'whole') state = read.shown
        if (name === 'patch') state = patched(state, read.patch)
      }
      for (const look of waiting) look()
    })
    response.on('close', () => ended.resolve())
    response.on('error', () => {})
    resolve({
      status: response.statusCode ?? 0,
      events,
      shown: () => state as unknown as Shown,
      pause: () => response.pause(),
      resume: () => response.resume(),
      until: (isSo) =>
        new Promise((done) => {
          const look = () => {
            if (!isSo()) return
            waiting.delete(look)
            done()
          }
          waiting.add(look)
          look()
        }),
      ended: ended.promise,
      close: () => asked.destroy(),
    })
  })
  asked.end()
  return promise
}
