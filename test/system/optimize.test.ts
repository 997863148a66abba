import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyedRandom } from '../../src/core/random.ts'
import { lookAt, NARROW, openBrowser, overflowOf, violationsOf, WIDE } from '../support/dashboardBrowser.ts'
import { type CornermanRun, jsonOf, runCornerman } from '../support/runCornerman.ts'
import { inLong } from '../support/suite/long.ts'
import { pathOf, TestConfigs } from '../support/testConfigs.ts'

const KILLS = inLong(10)

const folder = mkdtempSync(join(tmpdir(), 'optimize-'))
const configs = new TestConfigs()
const runs: CornermanRun[] = []
afterAll(() => {
  for (const { child } of runs) child.kill('SIGKILL')
  configs.remove()
  rmSync(folder, { recursive: true, force: true })
})

function cornerman(...args: readonly string[]): CornermanRun {
  const run = runCornerman(args, { cwd: folder })
  runs.push(run)
  return run
}

async function ended(...args: readonly string[]): Promise<CornermanRun & { readonly code: number | null }> {
  const run = cornerman(...args)
  return { ...run, code: await run.exited }
}

interface Found {
  readonly id: string
  readonly trials: readonly { readonly set: object; readonly state: string }[]
  readonly winner: { readonly set: Readonly<Record<string, number>> } | null
  readonly verdict: string | null
  readonly look: { readonly number: number; readonly paired: { readonly difference: number } | null } | null
  readonly elapsedMs: number
}

/** What a search comes to, whatever it took. */
function foundOf(run: CornermanRun): Omit<Found, 'elapsedMs'> {
  const { elapsedMs: _, ...found } = jsonOf<Found>(run)
  return found
}

const MOMENTUM = pathOf('strategies/momentum.ts')
const CONFIG = pathOf('bots.config.ts')
/** Two generations. */
const BUDGET = '30'
const search = (dataDir: string, ...more: readonly string[]) => searchBy(MOMENTUM, dataDir, ...more)
const searchBy = (strategy: string, dataDir: string, ...more: readonly string[]) => [
  ...['optimize', '--log', 'demo', '--config', CONFIG, '--strategy', strategy, '--data-dir', dataDir],
  ...['--budget', BUDGET, '--json', ...more],
]
const linesOf = (dataDir: string, kind: string) =>
  readFileSync(join(folder, dataDir, 'trials/ledger.ndjson'), 'utf8')
    .split('\n')
    .filter((line) => line.includes(`"kind":"${kind}"`))

/** What axe, the console and a narrow window have against a page. */
async function faultsOf(file: string): Promise<unknown[]> {
  const browser = await openBrowser()
  try {
    const looks = [{ viewport: WIDE }, { viewport: NARROW, colorScheme: 'dark' as const }].map(async (look) => {
      const { page, complaints } = await lookAt(browser, pathToFileURL(file).href, look)
      const wider = await overflowOf(page)
      return [...complaints, ...(await violationsOf(page)), ...(wider > 0 ? [{ wider, ...look }] : [])]
    })
    return (await Promise.all(looks)).flat()
  } finally {
    await browser.close()
  }
}

let whole: Omit<Found, 'elapsedMs'>
/** What the whole of it took with one worker, with what a process takes to begin. */
let wholeMs: number

beforeAll(async () => {
  expect((await ended('logs', 'demo', '--out', 'demo', '--days', '7')).code).toBe(0)
  const begunAt = performance.now()
  const run = await ended(...search('one', '--workers', '1'))
  wholeMs = performance.now() - begunAt
  expect(run.code, run.stderr()).toBe(0)
  whole = foundOf(run)
}, 600_000)

describe('optimize', () => {
  test('finds the drift that was planted, and seals before it plays', () => {
    expect(whole.winner?.set['momentum.lookbackSec']).toBeGreaterThan(600)
    expect(whole.trials.length).toBeGreaterThan(15)
    expect(whole.trials[0]).toMatchObject({ trial: 0, set: { 'momentum.lookbackSec': 30 }, state: 'finished' })
    expect([whole.verdict, whole.look]).toEqual([null, null])
    expect([linesOf('one', 'seal').length, linesOf('one', 'look').length]).toEqual([1, 0])
    expect(linesOf('one', 'trial').length).toBeGreaterThan(10)
  })

  test.each(['2', '8'])('comes to the same with %s workers', async (workers) => {
    const run = await ended(...search(`by-${workers}`, '--workers', workers))
    expect(run.code, run.stderr()).toBe(0)
    expect(foundOf(run)).toEqual(whole)
  }, 600_000)

  test(`killed at ${KILLS} random moments, and resumed, comes to the same`, async () => {
    const random = keyedRandom('kills', process.env.CORNERMAN_TEST_SEED ?? 1)
    let kills = 0
    const again = ['optimize', '--resume', whole.id, '--data-dir', 'killed', '--json']
    // The first moments, before anything is kept, and later ones.
    const isKept = () => existsSync(join(folder, 'killed/optimize', `${whole.id}.db`))
    for (let attempt = 0; attempt < KILLS; attempt++) {
      const run = cornerman(...(isKept() ? again : search('killed', '--workers', '2')))
      // Two workers need half the time at best, so that the first two are killed on any machine.
      const isOver = await Promise.race([run.exited.then(() => true), sleep(wholeMs * (0.05 + 0.2 * random.next()), false)])
      if (isOver) break
      run.child.kill('SIGKILL')
      await run.exited
      kills += 1
    }
    expect(kills).toBeGreaterThan(1)
    const last = await ended(...(isKept() ? again : search('killed')))
    expect(last.code, last.stderr()).toBe(0)
    expect(foundOf(last)).toEqual(whole)
    expect(linesOf('killed', 'seal').length).toBe(1)
  }, 900_000)
})

describe('optimize promote', () => {
  test('opens the seal once, and says the same ever after', async () => {
    const first = await ended('optimize', 'promote', whole.id, '--data-dir', 'one', '--look', '--json')
    const found = foundOf(first)
    expect(first.code).toBe(found.verdict === 'promote' ? 0 : 1)
    expect(found.look?.number).toBe(1)
    expect(found.look?.paired?.difference).toBeGreaterThan(-1)
    const again = await ended('optimize', 'promote', whole.id, '--data-dir', 'one', '--json')
    expect([again.code, foundOf(again)]).toEqual([first.code, found])
    expect(linesOf('one', 'look').length).toBe(1)
    const shown = await ended('optimize', 'show', whole.id, '--data-dir', 'one', '--report', 'page.html')
    expect(shown.stdout()).toContain(found.verdict ?? '')
    const page = readFileSync(join(folder, 'page.html'), 'utf8')
    for (const said of ['SYNTHETIC', 'Luck against skill', 'candidate, sealed', whole.id]) expect(page).toContain(said)
    expect(page).not.toMatch(/https?:\/\/(?!www\.w3\.org)/)
    expect(await faultsOf(join(folder, 'page.html'))).toEqual([])
    const listed = await ended('optimize', 'list', '--data-dir', 'one')
    expect(listed.stdout()).toContain(`${whole.id}  ended`)
  }, 300_000)

  test('of a log that was copied, the look is known', async () => {
    cpSync(join(folder, 'demo'), join(folder, 'copy'), { recursive: true })
    const run = await ended('backtest', '--log', 'copy', '--config', CONFIG, '--strategy', MOMENTUM, '--data-dir', 'one')
    expect(run.code, run.stderr()).toBe(0)
    expect(`${run.stdout()}${run.stderr()}`).toMatch(/sealed/i)
  }, 300_000)
})

describe('optimize refuses', () => {
  const noBounds = () =>
    configs.write(`import { defineDraftPicker } from 'cornerman'
import { z } from 'zod'
export default defineDraftPicker({ name: 'free', params: z.object({ far: z.number().default(1) }), pick: ({ draft }) => draft.available[0] })`)
  const enters = () =>
    configs.write(`import { defineQueuePolicy } from 'cornerman'
import { z } from 'zod'
export default defineQueuePolicy({ name: 'enters', params: z.object({ far: z.number().default(1) }), decide: () => [] })`)
  const forgetful = () =>
    configs.write(`import { defineDraftPicker } from 'cornerman'
import { z } from 'zod'
let asked = 0
export default defineDraftPicker({
  name: 'forgetful', params: z.object({ far: z.number().int().min(1).max(9).default(1) }), pick: ({ draft }) => draft.available[asked++ % 3],
})`)
  const hanging = () =>
    configs.write(`import { defineDraftPicker } from 'cornerman'
import { z } from 'zod'
export default defineDraftPicker({ name: 'ends', params: z.object({ far: z.number().int().min(1).max(9).default(1) }), pick: () => process.exit(3) })`)

  test.each<[name: string, args: () => readonly string[], code: number, says: RegExp]>([
    ['no log', () => ['optimize', '--strategy', MOMENTUM], 2, /--log/],
    ['a strategy without bounds', () => searchBy(pathOf(noBounds()), 'bad'), 2, /NOTHING_VARIES|free\.far \(no bounds\)/],
    [
      'a policy without bounds, whatever plays what it enters',
      () => searchBy(pathOf(enters()), 'bad'),
      2,
      /enters\.far \(no bounds\).*NOTHING_VARIES/,
    ],
    [
      'a parameter that there is not',
      () => search('bad', '--vary', 'momentum.gone=1..2'),
      2,
      /momentum has no such parameter; there is lookbackSec/,
    ],
    ['a cap', () => search('bad', '--vary', 'guard.maxStake=1..2'), 2, /caps of a guard are not tuned/],
    ['nonsense', () => search('bad', '--vary', 'momentum.lookbackSec=9..1'), 2, /9 is not below 1/],
    ['a hold-out of all', () => search('bad', '--hold-out', '100%'), 2, /from 10% to 80%/],
    ['a log that is too short', () => search('bad').map((arg) => (arg === 'demo' ? 'short' : arg)), 1, /days more would do.*LOG_TOO_SHORT/],
    ['a search that there is not', () => ['optimize', '--resume', 'gone', '--data-dir', 'one'], 2, /no search gone; there is momentum-/],
    ['state outside the hooks', () => searchBy(pathOf(forgetful()), 'bad'), 1, /decided otherwise.*NOT_REPEATABLE/],
    ['a strategy that ends its thread', () => searchBy(pathOf(hanging()), 'bad'), 1, /ended its thread, twice.*STRATEGY_FAILED/],
  ])(
    '%s',
    async (name, args, code, says) => {
      if (name.includes('short')) await ended('logs', 'demo', '--out', 'short', '--days', '2')
      const run = await ended(...args())
      expect(run.stderr()).toMatch(says)
      expect(run.code).toBe(code)
      expect(run.stderr()).not.toMatch(/\n\s+at /)
    },
    120_000,
  )

  test('to go on where the strategy was changed', async () => {
    const file = pathOf(configs.write(readFileSync(MOMENTUM, 'utf8')))
    const first = await ended(...searchBy(file, 'changed', '--budget', '4'))
    expect(first.code, first.stderr()).toBe(0)
    const { id } = foundOf(first)
    writeFileSync(file, readFileSync(file, 'utf8').replace('?? 0', '?? 1'))
    const next = await ended('optimize', '--resume', id, '--data-dir', 'changed')
    expect([next.code, next.stderr()]).toEqual([2, expect.stringMatching(/the code of the bot, or its config has changed.*SWEEP_CHANGED/)])
    const looked = await ended('optimize', 'promote', id, '--data-dir', 'changed', '--look')
    expect([looked.code, looked.stderr()]).toEqual([2, expect.stringMatching(/SWEEP_CHANGED/)])
    expect(linesOf('changed', 'look').length).toBe(0)
  }, 300_000)

  test('a damaged ledger, for a search; a backtest warns', async () => {
    cpSync(join(folder, 'one'), join(folder, 'damaged'), { recursive: true })
    appendFileSync(join(folder, 'damaged/trials/ledger.ndjson'), '{"kind":"look"}\n')
    const run = await ended(...search('damaged'))
    expect([run.code, run.stderr()]).toEqual([1, expect.stringMatching(/LEDGER_DAMAGED/)])
    const backtest = await ended(
      'backtest',
      '--log',
      resolve(folder, 'demo'),
      '--config',
      CONFIG,
      '--strategy',
      MOMENTUM,
      '--data-dir',
      'damaged',
    )
    expect([backtest.code, backtest.stderr()]).toEqual([0, expect.stringMatching(/ledger/)])
  }, 300_000)
})
