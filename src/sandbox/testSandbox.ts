import { fetch } from 'undici'
import { VirtualClock } from '../core/clock.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from './startSandbox.ts'
import { SHORT_PRICE_FILE, START_MS } from './testService.ts'

// For tests: a sandbox over HTTP on a virtual clock, and the plainest of clients.

export interface HttpAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

export interface TestSandbox extends Sandbox {
  readonly clock: VirtualClock
  advance(durationMs: number): void
  /** A read as part 1 of the specification has it; without `key`, as the first agent. */
  get(procedure: string, input?: unknown, key?: string | null): Promise<HttpAnswer>
  /** An action, likewise. */
  post(procedure: string, input?: unknown, key?: string | null): Promise<HttpAnswer>
  /** Anything else. */
  send(path: string, init?: { method?: string; headers?: Record<string, string>; body?: string }): Promise<HttpAnswer>
}

export async function openTestSandbox(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const clock = new VirtualClock(START_MS)
  const sandbox = await startSandbox({ agents: ['alice', 'bob'], clock, pricesFile: SHORT_PRICE_FILE, ...options })
  const ownKey = sandbox.agents[0]?.key ?? ''
  const send: TestSandbox['send'] = async (path, init = {}) => {
    const response = await fetch(`${sandbox.url}/${path}`, init)
    const text = await response.text()
    return {
      status: response.status,
      headers: new Headers([...response.headers]),
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    }
  }
  const keyHeader = (key: string | null): Record<string, string> => (key === null ? {} : { 'x-agent-key': key })
  return {
    ...sandbox,
    clock,
    advance: (durationMs) => clock.advanceTo(clock.now() + durationMs),
    get: (procedure, input = null, key = ownKey) =>
      send(`${procedure}?input=${encodeURIComponent(JSON.stringify({ json: input }))}`, { headers: keyHeader(key) }),
    post: (procedure, input = null, key = ownKey) =>
      send(procedure, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...keyHeader(key) },
        body: JSON.stringify({ json: input }),
      }),
    send,
  }
}

interface ErrorBody {
  readonly error: { readonly json: { readonly message: string; readonly data: { readonly appCode: string; readonly details: unknown } } }
}

/** What an error answer says, in the body of part 7 of the specification. */
export function errorOf({ body }: HttpAnswer): { readonly message: string; readonly appCode: string; readonly details: unknown } {
  const { message, data } = (body as ErrorBody).error.json
  return { message, appCode: data.appCode, details: data.details }
}

/** What a good answer says. */
export function outputOf({ status, body }: HttpAnswer): unknown {
  if (status !== 200) throw new Error(`HTTP ${status}: ${JSON.stringify(body)}`)
  return (body as { result: { data: { json: unknown } } }).result.data.json
}
