import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, request } from 'undici'
import { isRecord, type Json, type ShapeContext } from './answers.ts'
import type { ServiceShape } from './shape.ts'

// Stands before a sandbox and answers as a service of another shape does. Everything but the procedures of agents goes through as it is.

/** A call of a procedure, as the bot made it and as it was answered. */
export interface ProxiedCall {
  /** Unix milliseconds of the answer. */
  readonly at: number
  readonly agentId: string | undefined
  readonly procedure: string
  readonly input: unknown
  readonly status: number
  /** What the sandbox said, and what the bot was told. */
  readonly said: unknown
  readonly told: unknown
}

export interface ProxiedAgent {
  readonly key: string
  readonly agentId: string
  readonly handle: string
}

export interface ShapeProxy extends AsyncDisposable {
  readonly url: string
  readonly calls: readonly ProxiedCall[]
  /** From a moment on, in Unix milliseconds, it has another shape. */
  switchAt(atMs: number, shape: ServiceShape): void
}

export interface ShapeProxyOptions {
  /** Base address of the sandbox. */
  readonly target: string
  readonly shape: ServiceShape
  /** Those it knows; any other is asked for once, by its own key, which counts as a read. */
  readonly agents?: readonly ProxiedAgent[]
  /** Unix milliseconds of the sandbox. Default: this machine's. */
  readonly now?: () => number
}

const PASSED = ['content-type', 'date', 'retry-after'] as const
const ASKED = ['content-type', 'x-agent-key', 'x-owner-token'] as const

export async function startShapeProxy({ target, shape, agents = [], now: nowOf = Date.now }: ShapeProxyOptions): Promise<ShapeProxy> {
  const dispatcher = new Agent({ connections: 64 })
  const calls: ProxiedCall[] = []
  const known = new Map(agents.map((agent) => [agent.key, Promise.resolve<Pick<ProxiedAgent, 'agentId' | 'handle'> | undefined>(agent)]))
  const commitments = new Map<string, Map<string, string>>()
  const shapes: { readonly fromMs: number; readonly shape: ServiceShape }[] = [{ fromMs: Number.NEGATIVE_INFINITY, shape }]
  const shapeAt = (now: number): ServiceShape => shapes.findLast(({ fromMs }) => fromMs <= now)?.shape ?? shape

  const ask = async (path: string, method: string, headers: Record<string, string>, body?: string) => {
    const answer = await request(target + path, {
      method: method as 'GET',
      headers,
      dispatcher,
      ...(body === undefined || body === '' ? {} : { body }),
    })
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
  }
  const learn = async (key: string) => {
    const { status, text } = await ask(`/agent.me?input=${encodeURIComponent('{"json":null}')}`, 'GET', { 'x-agent-key': key })
    if (status !== 200) {
      known.delete(key)
      return undefined
    }
    const { agent } = (JSON.parse(text) as { result: { data: { json: { agent: { agentId: string; handle: string } } } } }).result.data.json
    return agent
  }
  const agentOf = (key: string | undefined) => {
    if (key === undefined) return undefined
    const agent = known.get(key) ?? learn(key)
    known.set(key, agent)
    return agent
  }

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const { method = 'GET', url = '/' } = incoming
    const headers = Object.fromEntries(
      ASKED.flatMap((name) => (typeof incoming.headers[name] === 'string' ? [[name, incoming.headers[name]]] : [])),
    )
    const procedure = /^\/(agent\.[\w.]+)/.exec(url)?.[1]
    const agent = procedure === undefined ? undefined : await agentOf(headers['x-agent-key'])
    const asked = procedure === undefined ? undefined : inputOf(url, body)
    const input = asked?.json
    const current = shapeAt(nowOf())
    const isRewritten = method === 'POST' && procedure !== undefined && asked !== undefined
    const sent = isRewritten ? JSON.stringify({ ...asked, json: current.request(procedure, input) }) : body
    const answer = await ask(url, method, headers, sent)
    const now = nowOf()
    let { text } = answer
    if (procedure !== undefined) {
      if (answer.status === 200 && procedure === 'agent.modes.commitPrediction' && agent !== undefined) noteCommitment(agent.agentId, input)
      const context: ShapeContext = {
        agentId: '',
        handle: '',
        ...agent,
        now,
        commitments: commitments.get(agent?.agentId ?? '') ?? new Map(),
      }
      const rewritten = rewrite(shapeAt(now), procedure, { input, text, context })
      text = rewritten.text
      calls.push({ at: now, agentId: agent?.agentId, procedure, input, status: answer.status, said: rewritten.said, told: rewritten.told })
    }
    const passed = Object.fromEntries(
      PASSED.flatMap((name) => (answer.headers[name] === undefined ? [] : [[name, String(answer.headers[name])]])),
    )
    // The service's clock is the sandbox's.
    response.sendDate = false
    response.writeHead(answer.status, passed).end(text)
  }

  function noteCommitment(agentId: string, input: unknown): void {
    if (!isRecord(input)) return
    const own = commitments.get(agentId) ?? new Map<string, string>()
    commitments.set(agentId, own.set(String(input.contestId), String(input.commitment)))
  }

  const server = createServer((incoming, response) => {
    // The sandbox has cut the connection, or is gone: so does, and is, this.
    pass(incoming, response).catch(() => incoming.socket.destroy())
  })
  const listening = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', listening.resolve)
  await listening.promise
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    switchAt: (fromMs, next) => void shapes.push({ fromMs, shape: next }),
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      server.closeAllConnections()
      await closed.promise
      await dispatcher.destroy()
    },
  }
}

/** What a call is asked with; undefined where it is nothing that the interface has. */
function inputOf(url: string, body: string): Json | undefined {
  const text = body === '' ? new URL(url, 'http://proxy').searchParams.get('input') : body
  try {
    const asked: unknown = JSON.parse(text ?? '{"json":null}')
    return isRecord(asked) ? asked : undefined
  } catch {
    return undefined
  }
}

interface Answered {
  readonly input: unknown
  readonly text: string
  readonly context: ShapeContext
}

/** An answer in the words of a shape; what is no answer of the interface goes through. */
function rewrite(
  shape: ServiceShape,
  procedure: string,
  { input, text, context }: Answered,
): { text: string; said: unknown; told: unknown } {
  let answer: { result?: { data?: { json?: unknown } }; error?: { json?: unknown } }
  try {
    answer = JSON.parse(text) as typeof answer
  } catch {
    return { text, said: text, told: text }
  }
  if (answer.error !== undefined) {
    const told = shape.error(answer.error.json)
    return { text: JSON.stringify({ error: { json: told } }), said: answer.error.json, told }
  }
  const said = answer.result?.data?.json
  if (said === undefined) return { text, said: answer, told: answer }
  const told = shape.answer(procedure, input, said, context)
  return { text: JSON.stringify({ result: { data: { json: told } } }), said, told }
}
