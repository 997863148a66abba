import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Shapes } from '../src/contract/shapes/shapes.ts'
import { lockAgent } from '../src/live/index.ts'
import { type Sandbox, startSandbox } from '../src/sandbox/index.ts'
import { type ShapeProxy, startShapeProxy } from './shapes/proxy.ts'
import { type ServiceShape, shapeOf } from './shapes/shape.ts'
import { type CornermanRun, runCornerman } from './support/runCornerman.ts'
import { TestConfigs } from './support/testConfigs.ts'

// What a probe sends, and above all what it does not.

const shape = shapeOf(3, { departure: 0.6 })
/** Of which what a prediction needs is found at once. */
const plainer = shapeOf(12, { departure: 0.15 })
const NAMES = ['cheap', 'daily', 'small', 'busy', 'blind', 'liar', 'killed', 'reader'] as const
const folder = mkdtempSync(join(tmpdir(), 'probe-'))
const configs = new TestConfigs()
const runs: CornermanRun[] = []
let sandbox: Sandbox
let proxy: ShapeProxy
/** The same service, whose ids are others in every answer; and one that lists nothing. */
let liar: ShapeProxy
let plain: ShapeProxy
let empty: ShapeProxy

const proxied = (of: ServiceShape) =>
  startShapeProxy({
    ...{ target: sandbox.url, shape: of },
    agents: sandbox.agents.map(({ key, agentId, name }) => ({ key, agentId, handle: name })),
  })

const altered = (answer: ServiceShape['answer']): ServiceShape => ({ ...shape, answer })
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
/** In two answers of three every id that is not asked for is that of somebody else. */
let answers = 0
const lies = altered((procedure, input, json, context) => {
  const told = shape.answer(procedure, input, json, context)
  if (!/^agent\.(?:contests|modes|queue)/.test(procedure) || ++answers % 3 === 0) return told
  const strange = (id: string) => id.replaceAll(/[0-9a-f]/g, (digit) => ((Number.parseInt(digit, 16) + answers) % 16).toString(16))
  return JSON.parse(JSON.stringify(told).replaceAll(UUID, strange)) as unknown
})
const hidden = altered((procedure, input, json, context) =>
  shape.answer(procedure, input, procedure === 'agent.contests.list' ? { items: [], nextCursor: null } : json, context),
)

beforeAll(async () => {
  sandbox = await startSandbox({ agents: [...NAMES] })
  ;[proxy, plain, liar, empty] = (await Promise.all([shape, plainer, lies, hidden].map(proxied))) as [
    ...[ShapeProxy, ShapeProxy],
    ...[ShapeProxy, ShapeProxy],
  ]
})
afterAll(async () => {
  for (const { child } of runs) child.kill('SIGKILL')
  await Promise.all([proxy, plain, liar, empty].map((each) => each[Symbol.asyncDispose]()))
  await sandbox.close()
  configs.remove()
  rmSync(folder, { recursive: true, force: true })
})

interface Told {
  readonly url?: string
  readonly guard?: string
}

/** A probe of one agent, with a config and a data directory of its own. */
function probeAs(name: (typeof NAMES)[number], args: readonly string[], { url = proxy.url, guard = '' }: Told = {}) {
  const home = join(folder, name)
  mkdirSync(home, { recursive: true })
  const config = configs.write(`import { contestService, defineConfig, secret, usdc } from 'cornerman'
import momentum from './strategies/momentum.ts'
export default defineConfig({
  service: contestService({ url: '${url}', shapes: '${join(home, 'live.shapes.json')}' }),
  market: { url: '${sandbox.url}/jup/price/v3', swapUrl: '${sandbox.url}/jup/swap/v1', rpcUrl: '${sandbox.url}/rpc' },
  bots: [{ name: '${name}', agentKey: secret('KEY'), guard: { maxStake: usdc('50'), dailyLoss: usdc('200'), ${guard} }, strategies: [momentum()] }],
})`)
  return cornerman(['probe', '--config', config, '--data-dir', join(home, 'data'), ...args], name)
}

function cornerman(args: readonly string[], name: string): CornermanRun {
  const { key = '' } = sandbox.agents.find((agent) => agent.name === name) ?? {}
  const run = runCornerman(args, { env: { KEY: key } })
  runs.push(run)
  return run
}

const callsOf = (of: ShapeProxy, name: string) => {
  const { agentId } = sandbox.agents.find((agent) => agent.name === name) ?? {}
  return of.calls.filter((call) => call.agentId === agentId)
}
const ACTION = /^agent\.(?:queue\.(?:enqueue|cancel)|contests\.(?:create|join|leave|ready)|modes\.(?!state)|trade\.)/
const sentBy = (of: ShapeProxy, name: string) => callsOf(of, name).filter(({ procedure }) => ACTION.test(procedure))
const dataOf = (name: string) => join(folder, name, 'data')
const recordingOf = (name: string) => join(dataOf(name), 'probes', readdirSync(join(dataOf(name), 'probes')).at(-1) ?? '')

describe('is refused with 2, and nothing is sent', () => {
  test('what is wrong by itself, at once', async () => {
    const nowhere = join(folder, 'nowhere')
    const nothing = join(folder, 'nothing')
    mkdirSync(nothing)
    const inSandbox = configs.write(`import { defineConfig, sandbox, usdc } from 'cornerman'
import momentum from './strategies/momentum.ts'
export default defineConfig({
  service: sandbox(), bots: [{ name: 'a', guard: { maxStake: usdc('5'), dailyLoss: usdc('20') }, strategies: [momentum()] }],
})`)
    const mistakes: readonly (readonly [CornermanRun, string])[] = [
      [probeAs('reader', ['--play']), '--play stakes money: say how much at most, as in --play --most 2.00'],
      [probeAs('reader', ['--from', nowhere]), 'there is no such folder'],
      [probeAs('reader', ['--from', nothing]), `${nothing}: is no folder of a probe (answers.jsonl and facts.json)`],
      [probeAs('reader', ['--play', '--most', '1', '--modes', 'chess']), 'chess is no mode; there is'],
      [cornerman(['probe', '--config', inSandbox], 'reader'), 'service is sandbox(): its answers are known, there is nothing to find out'],
    ]
    const ends = await Promise.all(mistakes.map(async ([run]) => ({ code: await run.exited, said: run.stderr() })))
    expect(ends).toEqual(mistakes.map(([, words]) => ({ code: 2, said: expect.stringContaining(words) })))
    expect(proxy.calls).toEqual([])
  })

  test('what may cost more than it is allowed to, that of which nobody knows what to stake, and an agent that plays already', async () => {
    const busy = sandbox.agents.find(({ name }) => name === 'busy')
    const play = ['--play', '--most', '500', '--modes', 'draft_basket']
    // The agent's id is where nobody has found it yet: it is known by its key.
    const locks = await Promise.all(
      [busy?.key ?? '', busy?.agentId ?? ''].map((agent) => lockAgent({ url: proxy.url, agent, holder: 'another process' })),
    )
    const mistakes: readonly (readonly [string, CornermanRun, RegExp])[] = [
      [
        'cheap',
        probeAs('cheap', ['--play', '--most', '0.01', '--modes', 'draft_basket']),
        /the probe may cost [\d.]+ USDC, over --most of 0\.01: nothing was sent/,
      ],
      [
        'daily',
        probeAs('daily', play, { guard: "dailyLoss: usdc('0.02'), maxStake: usdc('0.01')" }),
        /over guard\.dailyLoss of daily of 0\.02: nothing was sent/,
      ],
      ['small', probeAs('small', play, { guard: "maxStake: usdc('0.01')" }), /over guard\.maxStake of small of 0\.01: nothing was sent/],
      ['busy', probeAs('busy', play), /AGENT_IN_USE/],
      ['blind', probeAs('blind', play, { url: empty.url }), /no open contest of draft_basket was seen.*name a stake, as in --stake 0\.10/],
    ]
    const ends = await Promise.all(mistakes.map(async ([name, run]) => ({ name, code: await run.exited, said: run.stderr() })))
    for (const lock of locks) await lock.release()
    expect(ends).toEqual(mistakes.map(([name, , words]) => ({ name, code: 2, said: expect.stringMatching(words) })))
    for (const [name] of mistakes) {
      expect([name, sentBy(proxy, name), sentBy(empty, name)]).toEqual([name, [], []])
      expect(callsOf(proxy, name).length + callsOf(empty, name).length).toBeGreaterThan(10)
    }
    // The bound stood there before it was held against anything.
    for (const { name, said } of ends)
      if (name !== 'blind') expect(said).toMatch(/draft_basket +stake [\d.]+, \d+ s\n +at most [\d.]+ USDC in all, and/)
  })
})

test('of a service that lies about ids nothing wrong is pinned', async () => {
  const run = probeAs('liar', ['--write', '--json'], { url: liar.url })
  expect(await run.exited).toBe(1)
  const { pieces = {}, own, ...found } = JSON.parse(readFileSync(join(folder, 'liar', 'live.shapes.json'), 'utf8')) as Shapes
  const pinned = Object.entries(pieces).filter(([, said]) => typeof said !== 'object' || !('choose' in said))
  expect(pinned.filter(([piece, said]) => !shape.isRight(piece, said))).toEqual([])
  if (own !== undefined) expect(shape.isRight('own', own)).toBe(true)
  for (const [list, path] of Object.entries(found.lists ?? {})) expect(shape.isRight(`lists.${list}`, path)).toBe(true)
})

test('killed in the middle of a contest, the next probe says what was left open, and what was begun is played to its end', async () => {
  const play = ['--play', '--most', '5', '--modes', 'price_prediction', '--duration', '15s']
  const first = probeAs('killed', play, { url: plain.url })
  // The proxy knows of the answer before the bot does: what the bot reads a second later it reads once that is in its journal.
  const committed = () => {
    const calls = callsOf(plain, 'killed').filter(({ status }) => status === 200)
    const at = calls.findIndex(({ procedure }) => procedure.endsWith('commitPrediction'))
    return at !== -1 && calls.slice(at + 1).filter(({ procedure }) => procedure === 'agent.modes.state').length >= 2
  }
  await expect.poll(committed, { timeout: 150_000, interval: 20 }).toBe(true)
  first.child.kill('SIGKILL')
  expect(await first.exited).toBeNull()
  const saltsOf = () => {
    using journal = new DatabaseSync(join(dataOf('killed'), 'bots', 'killed.db'), { readOnly: true })
    return journal.prepare('SELECT contest_id, salt FROM custody').all()
  }
  const salts = saltsOf()
  expect(salts).toHaveLength(1)

  const reading = probeAs('killed', [], { url: plain.url })
  const said = await reading.logged(({ msg }) => msg.startsWith('the run before has left open'))
  expect(said.msg).toBe('the run before has left open: 1 contests, 0 tickets, 1 predictions to reveal; the next start takes it up')
  reading.child.kill('SIGKILL')
  await reading.exited

  const again = probeAs('killed', [...play, '--json'], { url: plain.url })
  await again.logged(({ msg }) => msg.includes('it is taken up before anything is entered'))
  await again.exited
  expect(saltsOf()[0]).toEqual(salts[0])
  const sent = sentBy(plain, 'killed').filter(({ status }) => status === 200)
  const contests = sent.flatMap(({ procedure, input }) =>
    procedure.endsWith('commitPrediction') ? [(input as { contestId: string }).contestId] : [],
  )
  expect(new Set(contests).size).toBe(contests.length)
  expect(sent.filter(({ procedure }) => procedure === 'agent.queue.enqueue').length).toBeLessThanOrEqual(2)
}, 420_000)

test('its recording is for one user alone, holds no secret, gives the same file each time, and is shared without a name of ours', async () => {
  const [agent] = sandbox.agents.filter(({ name }) => name === 'killed')
  const recording = recordingOf('killed')
  for (const name of ['answers.jsonl', 'facts.json']) expect(statSync(join(recording, name)).mode & 0o777).toBe(0o600)
  expect(statSync(recording).mode & 0o777).toBe(0o700)
  const textIn = (dir: string) => ['answers.jsonl', 'facts.json'].map((name) => readFileSync(join(dir, name), 'utf8')).join('')
  const text = textIn(recording)
  using journal = new DatabaseSync(join(dataOf('killed'), 'bots', 'killed.db'), { readOnly: true })
  const salts = journal
    .prepare('SELECT salt FROM custody')
    .all()
    .map(({ salt }) => String(salt))
  expect(salts.length).toBeGreaterThan(0)
  for (const secret of [agent?.key ?? 'none', ...salts]) expect(text).not.toContain(secret)

  const out = join(folder, 'shared')
  const file = join(folder, 'killed', 'live.shapes.json')
  const written: string[] = []
  for (const args of [['--share', out], []]) {
    rmSync(file, { force: true })
    const run = probeAs('killed', ['--from', recording, '--write', ...args], { url: plain.url })
    expect(await run.exited).not.toBe(2)
    written.push(readFileSync(file, 'utf8'))
  }
  expect(written[1]).toBe(written[0])
  const shared = textIn(out)
  const wallets = [...text.matchAll(/"(?:wallet|walletAddress)":"(\w{32,44})"/g)].map(([, wallet = '']) => wallet)
  expect(wallets.length).toBeGreaterThan(0)
  for (const own of [agent?.agentId ?? 'none', '"killed"', ...wallets]) {
    expect(text).toContain(own)
    expect(shared).not.toContain(own)
  }
  expect(existsSync(`${file}.prev`)).toBe(false)
})
