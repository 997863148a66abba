import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lackingIn, type Shapes } from '../../src/contract/shapes/shapes.ts'
import { lastingPort } from '../support/lastingPort.ts'
import { type OutsideProcess, startOutsideProcess } from '../support/outsideService/outsideProcess.ts'
import { type CornermanRun, runCornerman } from '../support/runCornerman.ts'
import { type SandboxProcess, startSandboxProcess } from '../support/sandboxProcess.ts'
import { inLong } from '../support/suite/long.ts'

// Two bots meet a service that others have written, with nothing but its address and their keys.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** A folder of its owner: the mapping stands beside the config. */
const home = mkdtempSync(join(tmpdir(), 'first-contact-'))
const file = join(home, 'service.shapes.json')
const NAMES = ['ann', 'ben'] as const
const runs: CornermanRun[] = []
let sandbox: SandboxProcess
let outside: OutsideProcess
let env: Record<string, string> = {}
let port = 0

beforeAll(async () => {
  sandbox = await startSandboxProcess(['--agents', NAMES.join()])
  outside = await startOutsideProcess(sandbox, ['--speed', '1', '--pace', '{"turnSec":4}', '--trouble', '{"failEvery":0,"neglectEvery":0}'])
  mkdirSync(join(home, 'node_modules'))
  symlinkSync(ROOT, join(home, 'node_modules', 'cornerman'))
  port = await lastingPort()
  for (const { name, key } of outside.agents) {
    const { secret } = await owner<{ secret: string }>(`webhook?agent=${name}`, { url: `http://127.0.0.1:${port}/webhooks/${name}` })
    env = { ...env, [`${name.toUpperCase()}_KEY`]: key, [`${name.toUpperCase()}_HOOK`]: secret }
  }
  writeFileSync(join(home, 'bots.config.ts'), configOf(''))
})
afterAll(async () => {
  for (const { child } of runs) child.kill('SIGKILL')
  await outside[Symbol.asyncDispose]()
  await sandbox.kill()
  rmSync(home, { recursive: true, force: true })
})

async function owner<T>(path: string, body: unknown): Promise<T> {
  const headers = { 'x-owner-token': outside.ownerToken, 'content-type': 'application/json' }
  return (await (await fetch(`${outside.url}/owner/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as T
}

const configOf = (shapes: string): string => `import { contestService, defineConfig, secret, usdc } from 'cornerman'
${['drift', 'holder', 'ladder', 'momentum', 'trend'].map((name) => `import ${name} from '${ROOT}strategies/${name}.ts'`).join('\n')}
const modes = ['up_down', 'draft_basket', 'price_prediction', 'same_token', 'last_bag_standing']
const strategies = [ladder({ stake: usdc('1'), durationSec: 15, atOnce: 3, modes }), momentum(), drift(), trend(), holder({ amount: usdc('2') })]
const bot = { strategies, guard: { maxStake: usdc('2'), dailyLoss: usdc('50'), maxOpenContests: 3 } }
export default defineConfig({
  service: contestService({ url: '${outside.url}'${shapes} }),
  market: { url: '${sandbox.url}/jup/price/v3', swapUrl: '${sandbox.url}/jup/swap/v1', rpcUrl: '${sandbox.url}/rpc' },
  webhooks: { port: ${port} },
  bots: [
    { name: 'ann', agentKey: secret('ANN_KEY'), webhookSecret: secret('ANN_HOOK'), ...bot },
    { name: 'ben', agentKey: secret('BEN_KEY'), webhookSecret: secret('BEN_HOOK'), ...bot, isolate: true },
  ],
})`

/** What the probe does not find here, as the service's own notes have it. */
const KNOWN = {
  turn: { at: 'state:drafter', is: 'userId' },
  entryId: 'contest:^.seat.slip',
  commitBy: { at: 'state:sealing.msLeft', as: 'leftMs' },
  revealFrom: { at: 'state:opening.fromUnix', as: 's' },
} as const

function cornerman(...args: string[]): CornermanRun {
  const run = runCornerman(args, { env, cwd: home })
  runs.push(run)
  return run
}

const play = (...args: string[]) => cornerman('start', '--no-dashboard', '--json', ...args)
const logs = () => Promise.all(NAMES.map((name) => outside.log(name)))

test('doctor says what is not known, a probe finds it for what it was allowed, and the bots play on, killed once', async () => {
  const doctor = cornerman('doctor')
  expect(await doctor.exited).toBe(1)
  expect(doctor.stdout()).toMatch(/^fail {2}ann: lists .*nothing is entered$/m)
  expect(doctor.stdout()).toMatch(/^ok {4}ann: key/m)

  const probing = ['probe', '--play', '--modes', 'draft_basket,price_prediction', '--stake', '0.30', '--duration', '15s', '--write']
  const refused = cornerman(...probing, '--bot', 'ben', '--most', '0.50')
  const probe = cornerman(...probing, '--bot', 'ann', '--most', '0.60')
  expect(await refused.exited).toBe(2)
  expect(refused.stderr()).toContain('at most 0.60 USDC in all')
  expect((await outside.log('ben')).outcomes).toEqual([])
  expect(await probe.exited).not.toBe(2)
  expect(probe.stderr()).toContain('at most 0.60 USDC in all')
  const spent = (await outside.log('ann')).outcomes
  expect(spent.map(({ mode, stake }) => [mode, stake])).toEqual([
    ['draft_basket', '300000'],
    ['price_prediction', '300000'],
  ])
  expect(existsSync(file)).toBe(true)
  const found = JSON.parse(readFileSync(file, 'utf8')) as Shapes
  // Whether `up_down` is among them hangs on whose contests were listed meanwhile.
  for (const mode of ['same_token', 'last_bag_standing', 'pnl_usd'] as const) expect(lackingIn(found).has(mode)).toBe(false)

  const missing = Object.fromEntries(Object.entries(KNOWN).filter(([piece]) => found.pieces?.[piece as keyof typeof KNOWN] === undefined))
  writeFileSync(join(home, 'bots.config.ts'), configOf(`, shapes: ${JSON.stringify({ pieces: missing })}`))
  const from = Date.now()
  const first = play('--for', '120s')
  await expect
    .poll(async () => (await logs()).every(({ moves }) => moves.some(({ at, type }) => at > from && type === 'commit')), {
      timeout: 90_000,
    })
    .toBe(true)
  first.child.kill('SIGKILL')
  expect(await first.exited).toBeNull()
  const killedAt = Date.now()

  const second = play('--for', `${inLong(40, 25)}s`)
  expect((await second.logged(({ msg }) => msg.startsWith('the run before has left open'))).msg).toMatch(/[1-9] contests/)
  expect(await second.exited, second.stderr()).toBe(0)
  const report = JSON.parse(second.stdout()) as { shapes: { pieces: Record<string, unknown> }; bots: { unplayed: { count: number } }[] }
  expect(Object.keys(report.shapes.pieces)).toEqual(expect.arrayContaining(['ticketId', 'contestId', 'pool', ...Object.keys(missing)]))

  const said = [...first.logs(), ...second.logs()] as readonly (ReturnType<CornermanRun['logs']>[number] & {
    readonly code?: string
    readonly contestId?: string
  })[]
  for (const { outcomes, withoutMove, moves } of await logs()) {
    const ids = outcomes.map(({ contestId }) => contestId)
    expect(new Set(ids).size).toBe(ids.length)
    const once = moves.filter(({ type }) => type === 'commit' || type === 'reveal').map(({ contestId, type }) => `${type} ${contestId}`)
    expect(new Set(once).size).toBe(once.length)
    expect(outcomes.filter(({ at }) => Number(at) > killedAt).length).toBeGreaterThan(3)
    // What was under way while nobody was there may have passed: that is said.
    for (const { contestId, at } of withoutMove.filter((lost) => Number(lost.at) > from)) {
      expect(Number(at)).toBeLessThan(killedAt + 30_000)
      expect(said).toContainEqual(expect.objectContaining({ code: 'UNPLAYED', contestId }))
    }
  }
  expect(await outside.audit()).toMatchObject({ agrees: true, stranded: [] })
  expect(said.map(({ msg }) => msg).filter((msg) => msg.includes('a webhook was refused'))).toEqual([])
})
