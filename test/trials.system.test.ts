import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readLogs } from '../src/backtest/index.ts'
import { openLedger } from '../src/optimize/ledger/ledger.ts'
import { priceLog } from './support/priceLog.ts'
import { type CornermanRun, jsonOf, runCornerman } from './support/runCornerman.ts'
import { pathOf } from './support/testConfigs.ts'

const folder = mkdtempSync(join(tmpdir(), 'trials-'))
const runs: CornermanRun[] = []
afterAll(() => {
  for (const { child } of runs) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const log = priceLog(folder)
const { spans } = readLogs([log])
const from = spans[0]?.from ?? 0
const to = spans[0]?.to ?? 0
const BOUNDARY = from + Math.round((to - from) * 0.6)
const TRAIN_UNTIL = BOUNDARY - 180_000

const open = (dataDir: string) => openLedger({ dataDir: join(folder, dataDir), clock: { now: () => 1000 } })
const ledgerOf = (dataDir: string) => join(folder, dataDir, 'trials', 'ledger.ndjson')
const linesIn = (dataDir: string) =>
  readFileSync(ledgerOf(dataDir), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { kind: string; [field: string]: unknown })
const kindsIn = (dataDir: string) => linesIn(dataDir).map(({ kind }) => kind)

function start(command: string, ...args: readonly string[]): CornermanRun {
  const run = runCornerman([command, '--log', 'prices', '--config', pathOf('bots.config.ts'), ...args], { cwd: folder })
  runs.push(run)
  return run
}

async function played(dataDir: string, ...args: readonly string[]): Promise<CornermanRun> {
  const run = start('backtest', '--bot', 'alice', '--data-dir', dataDir, ...args)
  expect(await run.exited, run.stderr()).toBe(0)
  return run
}

interface Document {
  readonly fingerprint: string
  readonly bots: readonly {
    readonly tried: { readonly trials: number; readonly bestOfCoins: number; readonly sentence: string } | null
    readonly warnings: readonly { readonly code: string }[]
  }[]
}
const warningsOf = (run: CornermanRun) => jsonOf<Document>(run).bots[0]?.warnings.map(({ code }) => code)

describe('a time that is tried again', () => {
  test('is said to be tried once a run decided otherwise: in words, in JSON and on the page', async () => {
    const first = await played('tried', '--json')
    const again = await played('tried')
    expect(jsonOf<Document>(first).bots[0]?.tried).toBeNull()
    expect(again.stdout()).not.toContain('TRIED')
    const page = join(folder, 'report.html')
    const other = await played('tried', '--seed', '2', '--json', '--report', page)
    const tried = jsonOf<Document>(other).bots[0]?.tried
    expect(tried).toMatchObject({ trials: 2, sentence: expect.stringMatching(/^TRIED 2: .* best of 2 coins would show an edge of/) })
    expect(readFileSync(page, 'utf8')).toContain(tried?.sentence)
    expect((await played('tried', '--seed', '2')).stdout()).toContain(tried?.sentence)
    expect(linesIn('tried')).toHaveLength(4)
    expect(linesIn('tried')[0]).toMatchObject({ kind: 'trial', realm: 'import', from, to, seed: 1, contests: expect.any(Number) })
  })

  test('a damaged ledger is warned of once, and changes nothing', async () => {
    const dataDir = 'damaged'
    open(dataDir).trial({ spans, fingerprint: 'f', key: 'k', seed: 1, contests: 9, edge: 0 })
    appendFileSync(ledgerOf(dataDir), 'no line\n')
    const before = readFileSync(ledgerOf(dataDir), 'utf8')
    const run = await played(dataDir)
    expect(run.stderr().match(/LEDGER_DAMAGED/g)).toHaveLength(1)
    expect(run.stdout()).toContain('fingerprint')
    expect(readFileSync(ledgerOf(dataDir), 'utf8')).toBe(before)
  })

  test('a place that cannot be written is warned of once', async () => {
    writeFileSync(join(folder, 'trials'), 'a file where a folder is to be')
    const run = await played('.')
    expect(run.stderr().match(/LEDGER_DAMAGED/g)).toHaveLength(1)
    rmSync(join(folder, 'trials'))
  })
})

describe('where contests are sealed', () => {
  const dataDir = 'sealed'
  let incumbent = ''
  beforeAll(async () => {
    await played('incumbent')
    incumbent = String(linesIn('incumbent')[0]?.key)
    open(dataDir).seal({ spans: [{ realm: 'import', from: BOUNDARY, to }], trainUntil: TRAIN_UNTIL, incumbent, prices: [] })
  })

  test('a run ends before them, says so in a line, and cuts no contest off', async () => {
    const rows = join(folder, 'rows.ndjson')
    const [plain, stated] = [await played(dataDir, '--json', '--rows', rows), await played(dataDir, '--json', '--to', 'sealed')]
    expect(plain.stderr()).toContain(`contests from ${new Date(BOUNDARY).toISOString()} on are sealed, and this run ends before them`)
    expect(stated.stderr()).toBe('')
    expect(jsonOf<Document>(stated).fingerprint).toBe(jsonOf<Document>(plain).fingerprint)
    const contests = readFileSync(rows, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { enteredAt: number; endedAt: number })
    expect(contests.length).toBeGreaterThan(10)
    expect(contests.filter(({ enteredAt, endedAt }) => enteredAt >= TRAIN_UNTIL || endedAt >= BOUNDARY)).toEqual([])
    expect(warningsOf(plain)).not.toContain('OPEN_AT_THE_END')
    expect(linesIn(dataDir).at(-1)).toMatchObject({ kind: 'trial', from, to: BOUNDARY - 1 })
    expect(kindsIn(dataDir)).not.toContain('look')
  })

  test('a range that ends before them is no look', async () => {
    const run = await played(dataDir, '--to', new Date(BOUNDARY - 1).toISOString())
    expect(run.stderr()).toBe('')
    expect(kindsIn(dataDir)).not.toContain('look')
  })

  test('the bot that they were sealed with has nothing to look for', async () => {
    const run = await played(dataDir, '--to', 'end')
    expect(run.stderr()).toBe('')
    expect(kindsIn(dataDir)).not.toContain('look')
  })

  const other = ['--set', 'ladder.durationSec=120'] as const

  test('another one takes a look, whether to their end or into them, and the same look costs nothing again', async () => {
    const run = await played(dataDir, '--to', 'end', '--json', ...other)
    expect(run.stderr()).toContain('look 1 of 3 [SEALED_SEEN]')
    expect(warningsOf(run)).toContain('SEALED_SEEN')
    expect(linesIn(dataDir).find(({ kind }) => kind === 'look')).toMatchObject({ number: 1, by: 'backtest', incumbent: null })
    expect(kindsIn(dataDir).slice(-3)).toEqual(['look', 'trial', 'answer'])
    const again = await played(dataDir, '--to', new Date(BOUNDARY).toISOString(), ...other)
    expect(again.stderr()).toContain('look 1 of 3 [SEALED_SEEN]')
    expect(kindsIn(dataDir).filter((kind) => kind === 'look')).toHaveLength(1)
  })

  test('a look that was killed is lost, and three are all there are', async () => {
    const killed = start(
      'backtest',
      '--bot',
      'alice',
      '--data-dir',
      dataDir,
      '--to',
      'end',
      '--seed',
      '5',
      '--set',
      'ladder.durationSec=150',
    )
    while (!killed.stderr().includes('SEALED_SEEN')) await new Promise((resolve) => killed.child.stderr?.once('data', resolve))
    killed.child.kill('SIGKILL')
    expect(await killed.exited).toBeNull()
    expect(kindsIn(dataDir).at(-1)).toBe('look')
    const again = await played(dataDir, '--to', 'end', '--set', 'ladder.durationSec=150')
    expect(again.stderr()).toContain('look 3 of 3')
    // Nothing is left to protect.
    expect((await played(dataDir, ...other)).stderr()).toBe('')
  })

  test('lookahead tries no decision of theirs, unless it is told to', async () => {
    open('ahead').seal({ spans: [{ realm: 'import', from: BOUNDARY, to }], trainUntil: TRAIN_UNTIL, incumbent: 'other', prices: [] })
    const decisionsOf = async (...args: readonly string[]) => {
      const run = start('lookahead', '--samples', '1', '--json', '--data-dir', 'ahead', ...args)
      expect(await run.exited, run.stderr()).toBe(0)
      return { ...jsonOf<{ decisions: number }>(run), said: run.stderr() }
    }
    const [before, all] = [await decisionsOf(), await decisionsOf('--to', 'end')]
    expect(before.said).toContain('are sealed, and this run ends before them')
    expect(all.decisions).toBeGreaterThan(before.decisions)
    expect(all.said).toContain('SEALED_SEEN')
    expect(kindsIn('ahead')).toContain('look')
    expect(existsSync(join(folder, '.cornerman'))).toBe(false)
  })
})
