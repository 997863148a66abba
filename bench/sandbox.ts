// `node bench/sandbox.ts`: requests a second of agent.me and agent.events against a bare tRPC + superjson server, in one
// run on this machine. The servers are processes of their own; one client sends to them in turn over as many connections.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { SERVERS, type ServerName } from './support/sandboxServers.ts'

const CONNECTIONS = 50
const ROUNDS = 15
const ROUND_MS = 700
const WARM_UP_MS = 1500
/** What the sandbox's calls are held to, as a share of the bare server's rate. */
const LEAST_SHARE = 0.6

interface Target {
  readonly name: string
  readonly pool: Pool
  readonly path: string
  readonly headers: Record<string, string>
}

interface Ready {
  readonly url: string
  readonly headers: Record<string, string>
  readonly paths: Readonly<Record<string, string>>
}

async function startServer(name: ServerName, children: ChildProcess[]): Promise<Target[]> {
  const child = fork(fileURLToPath(new URL('support/sandboxServers.ts', import.meta.url)), [name])
  children.push(child)
  const [ready] = (await once(child, 'message')) as [Ready]
  const pool = new Pool(ready.url, { connections: CONNECTIONS, pipelining: 1 })
  return Object.entries(ready.paths).map(([target, path]) => ({ name: target, pool, path, headers: ready.headers }))
}

/** Answers a second of one target, with every connection busy. */
async function rateOf({ pool, path, headers }: Target, durationMs: number): Promise<{ perSecond: number; bytes: number }> {
  const startedAt = performance.now()
  let answers = 0
  let bytes = 0
  const keepAsking = async () => {
    while (performance.now() - startedAt < durationMs) {
      const { statusCode, body } = await pool.request({ method: 'GET', path, headers })
      const answer = await body.arrayBuffer()
      if (statusCode !== 200) throw new Error(`HTTP ${statusCode}: ${Buffer.from(answer).toString()}`)
      bytes = answer.byteLength
      answers++
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, keepAsking))
  return { perSecond: (answers * 1000) / (performance.now() - startedAt), bytes }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const children: ChildProcess[] = []
try {
  const targets: Target[] = []
  for (const name of Object.keys(SERVERS) as ServerName[]) targets.push(...(await startServer(name, children)))
  for (const target of targets) await rateOf(target, WARM_UP_MS)
  const rates = new Map<string, number[]>()
  const sizes = new Map<string, number>()
  for (let round = 0; round < ROUNDS; round++) {
    for (const target of targets) {
      const { perSecond, bytes } = await rateOf(target, ROUND_MS)
      rates.set(target.name, [...(rates.get(target.name) ?? []), perSecond])
      sizes.set(target.name, bytes)
    }
  }
  const bare = rates.get('hello') ?? []
  for (const [name, perSecond] of rates) {
    // Of the same round, since what else the machine does comes and goes.
    const share = median(perSecond.map((rate, round) => rate / (bare[round] ?? Number.NaN)))
    const isSlow = share < LEAST_SHARE
    if (isSlow) process.exitCode = 1
    const figures = `${Math.round(median(perSecond))} requests/s, ${share.toFixed(2)} of hello, ${sizes.get(name)} bytes each`
    console.log(`${name}: ${figures}${isSlow ? `: under ${LEAST_SHARE}` : ''}`)
  }
  await Promise.all(targets.map(({ pool }) => pool.close()))
} finally {
  for (const child of children) child.kill()
}
