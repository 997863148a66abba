import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { thrownBy } from '../../../test/support/thrownBy.ts'
import type { CornermanError } from '../../core/error.ts'
import { type Ledger, type NewTrial, openLedger } from './ledger.ts'

const folders: string[] = []
const newDir = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-'))
  folders.push(folder)
  return folder
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const clock = { now: () => 5000 }
const open = (dataDir: string) => openLedger({ dataDir, clock })
const fileOf = (dataDir: string) => join(dataDir, 'trials', 'ledger.ndjson')
const linesOf = (dataDir: string) => readFileSync(fileOf(dataDir), 'utf8').split('\n').slice(0, -1)
const span = (from: number, to: number, realm = 'sandbox') => ({ realm, from, to })
const DAY = [span(0, 1000)]

const trial = (fingerprint: string, changes: Partial<NewTrial> = {}): NewTrial => ({
  ...{ spans: DAY, fingerprint, key: 'k', seed: 1, contests: 100, edge: 0.05 },
  ...changes,
})
const seal = (ledger: Ledger, from: number, to: number, changes = {}) =>
  ledger.seal({ spans: [span(from, to)], trainUntil: from - 50, incumbent: 'old', prices: ['a'], ...changes })

describe('the file of the ledger', () => {
  test('is not made by who only reads, and has what was written when it is opened again', () => {
    const dataDir = newDir()
    expect(open(dataDir).trials(DAY)).toEqual([])
    expect(existsSync(fileOf(dataDir))).toBe(false)
    const ledger = open(dataDir)
    ledger.trial(trial('one'))
    ledger.trial(trial('two', { edge: null, contests: 0, sweep: 's-1' }))
    expect(open(dataDir).trials(DAY)).toEqual(ledger.trials(DAY))
    expect(ledger.trials(DAY)).toMatchObject([
      { kind: 'trial', at: 5000, realm: 'sandbox', from: 0, to: 1000, fingerprint: 'one', key: 'k', seed: 1, contests: 100, edge: 0.05 },
      { fingerprint: 'two', edge: null, sweep: 's-1' },
    ])
    expect(statSync(fileOf(dataDir)).mode & 0o077).toBe(0)
  })

  test('shows each of two that have it open what the other adds', () => {
    const dataDir = newDir()
    const [one, other] = [open(dataDir), open(dataDir)]
    one.trial(trial('one'))
    other.trial(trial('other'))
    one.trial(trial('again'))
    const names = ['one', 'other', 'again']
    expect(one.trials(DAY).map(({ fingerprint }) => fingerprint)).toEqual(names)
    expect(other.trials(DAY).map(({ fingerprint }) => fingerprint)).toEqual(names)
  })

  test.each([1, 20, 60])('passes over a last line that a kill cut off by %i bytes, and takes it away with the next', (lost) => {
    const dataDir = newDir()
    const ledger = open(dataDir)
    ledger.trial(trial('one'))
    ledger.trial(trial('torn', { key: 'k'.repeat(2000) }))
    truncateSync(fileOf(dataDir), statSync(fileOf(dataDir)).size - lost)
    const later = open(dataDir)
    expect(later.trials(DAY).map(({ fingerprint }) => fingerprint)).toEqual(['one'])
    later.trial(trial('two'))
    expect(
      open(dataDir)
        .trials(DAY)
        .map(({ fingerprint }) => fingerprint),
    ).toEqual(['one', 'two'])
    expect(linesOf(dataDir)).toHaveLength(2)
    expect(readFileSync(fileOf(dataDir), 'utf8').endsWith('\n')).toBe(true)
  })

  const damages: readonly [string, (file: string) => void][] = [
    ['a digit was changed', (file) => writeFileSync(file, readFileSync(file, 'utf8').replace('"edge":0.05', '"edge":0.06'))],
    ['a line was taken out', (file) => writeFileSync(file, readFileSync(file, 'utf8').split('\n').toSpliced(0, 1).join('\n'))],
    [
      'two lines changed places',
      (file) => writeFileSync(file, `${readFileSync(file, 'utf8').trimEnd().split('\n').reverse().join('\n')}\n`),
    ],
    ['a line was written by hand', (file) => appendFileSync(file, '{"kind":"look"}\n')],
    [
      'it is a folder',
      (file) => {
        rmSync(file)
        mkdirSync(file)
      },
    ],
  ]

  test.each(damages)('is damaged where %s', (_name, damage) => {
    const dataDir = newDir()
    open(dataDir).trial(trial('one'))
    open(dataDir).trial(trial('two'))
    damage(fileOf(dataDir))
    expect(thrownBy<CornermanError>(() => open(dataDir))).toMatchObject({
      code: 'LEDGER_DAMAGED',
      message: expect.stringContaining('ledger.ndjson'),
    })
  })

  test('is damaged where it is gone or shorter under who has it open', () => {
    for (const damage of [(file: string) => rmSync(file), (file: string) => truncateSync(file, 10)]) {
      const dataDir = newDir()
      const ledger = open(dataDir)
      ledger.trial(trial('one'))
      damage(fileOf(dataDir))
      expect(thrownBy<CornermanError>(() => ledger.trial(trial('two')))).toMatchObject({ code: 'LEDGER_DAMAGED' })
    }
  })

  test('is damaged where it cannot be written', () => {
    const dataDir = newDir()
    writeFileSync(join(dataDir, 'trials'), 'a file where the folder is to be')
    expect(thrownBy<CornermanError>(() => open(dataDir).trial(trial('one')))).toMatchObject({ code: 'LEDGER_DAMAGED' })
  })

  test('goes on without writing, once it has said what is wrong, for who would rather play', () => {
    const dataDir = newDir()
    const sound = open(dataDir)
    seal(sound, 600, 1000)
    sound.trial(trial('one'))
    appendFileSync(fileOf(dataDir), 'no line\n')
    const before = readFileSync(fileOf(dataDir), 'utf8')
    const said: string[] = []
    const ledger = openLedger({ dataDir, clock, onDamage: ({ code }) => said.push(code) })
    ledger.trial(trial('two'))
    expect(ledger.look({ by: 'backtest', candidate: 'x', incumbent: null, seal: seal(ledger, 600, 1000) })).toMatchObject({ number: 1 })
    expect(said).toEqual(['LEDGER_DAMAGED'])
    // What stood before the damage still holds.
    expect(ledger.sealOf(DAY)).toMatchObject({ from: 600 })
    expect(ledger.trials(DAY)).toHaveLength(1)
    expect(readFileSync(fileOf(dataDir), 'utf8')).toBe(before)
  })
})

describe('trials', () => {
  test('are those that share a moment of a realm', () => {
    const ledger = open(newDir())
    ledger.trial(trial('inside', { spans: [span(200, 300)] }))
    ledger.trial(trial('touching', { spans: [span(1000, 2000)] }))
    ledger.trial(trial('later', { spans: [span(1001, 2000)] }))
    ledger.trial(trial('elsewhere', { spans: [span(0, 1000, 'import')] }))
    ledger.trial(trial('on two', { spans: [span(0, 10, 'import'), span(0, 10)] }))
    expect(ledger.trials(DAY).map(({ fingerprint }) => fingerprint)).toEqual(['inside', 'touching', 'on two'])
  })
})

describe('a seal', () => {
  test('meets every log that shares a moment with it, whatever it is called', () => {
    const ledger = open(newDir())
    expect(seal(ledger, 600, 1000)).toEqual({ spans: [span(600, 1000)], from: 600, trainUntil: 550, incumbent: 'old', looks: 0 })
    for (const met of [[span(0, 600)], [span(700, 710)], [span(1000, 5000)], [span(0, 10, 'import'), span(0, 2000)]])
      expect(ledger.sealOf(met)).toMatchObject({ from: 600 })
    for (const apart of [[span(0, 599)], [span(1001, 2000)], [span(0, 2000, 'import')]]) expect(ledger.sealOf(apart)).toBeUndefined()
  })

  test('is extended by what was recorded since, and its boundary moves neither back nor on', () => {
    const dataDir = newDir()
    const ledger = open(dataDir)
    seal(ledger, 600, 1000)
    for (const [from, to] of [
      [600, 2000],
      [300, 2000],
      [900, 2500],
    ] as const)
      expect(seal(ledger, from, to, { incumbent: 'new' })).toMatchObject({
        from: 600,
        trainUntil: 550,
        incumbent: 'old',
        spans: [span(600, Math.max(to, 2000))],
      })
    expect(open(dataDir).sealOf([span(0, 700)])).toMatchObject({ from: 600, spans: [span(600, 2500)] })
  })

  test('that lies between two others joins them to one, from the earliest boundary on', () => {
    const ledger = open(newDir())
    seal(ledger, 2000, 3000)
    seal(ledger, 600, 1000)
    expect(ledger.sealOf([span(2500, 2600)])).toMatchObject({ from: 2000 })
    seal(ledger, 600, 3000)
    expect(ledger.sealOf([span(2500, 2600)])).toMatchObject({ from: 600, spans: [span(600, 3000)] })
  })

  test('is written once', () => {
    const dataDir = newDir()
    seal(open(dataDir), 600, 1000)
    seal(open(dataDir), 600, 1000)
    seal(open(dataDir), 700, 900)
    expect(linesOf(dataDir)).toHaveLength(1)
  })

  test('counts in every realm that it lies in', () => {
    const ledger = open(newDir())
    ledger.seal({ spans: [span(600, 1000), span(600, 900, 'import')], trainUntil: 500, incumbent: 'old', prices: [] })
    expect(ledger.sealOf([span(0, 2000, 'import')])).toMatchObject({ from: 600, spans: [span(600, 900, 'import')] })
    expect(ledger.sealOf([span(0, 2000, 'import'), span(0, 700)])?.spans).toHaveLength(2)
  })

  test('that is spent protects nothing, and the time after it can be sealed', () => {
    const ledger = open(newDir())
    const first = seal(ledger, 600, 1000)
    for (const candidate of ['a', 'b', 'c']) ledger.look({ by: 'promote', candidate, incumbent: 'old', seal: first })
    expect(ledger.sealOf(DAY)).toBeUndefined()
    expect(ledger.spentUntil(DAY)).toBe(1000)
    expect(ledger.spentUntil([span(0, 599)])).toBeUndefined()
    seal(ledger, 1500, 2000)
    expect(ledger.sealOf([span(0, 2000)])).toMatchObject({ from: 1500, looks: 0 })
  })
})

describe('a look', () => {
  const look = { by: 'promote', candidate: 'new', incumbent: 'old' } as const

  test('is on the disk before it is answered, and counts from one', () => {
    const dataDir = newDir()
    const ledger = open(dataDir)
    const sealed = seal(ledger, 600, 1000)
    expect(ledger.look({ ...look, seal: sealed })).toMatchObject({ number: 1, answer: undefined })
    expect(linesOf(dataDir).at(-1)).toContain('"kind":"look"')
    expect(open(dataDir).sealOf(DAY)).toMatchObject({ looks: 1 })
    expect(open(dataDir).look({ ...look, candidate: 'other', seal: sealed })).toMatchObject({ number: 2 })
  })

  test('of the same bots has its answer again, and costs nothing', () => {
    const dataDir = newDir()
    const ledger = open(dataDir)
    const sealed = seal(ledger, 600, 1000)
    ledger.answer(ledger.look({ ...look, seal: sealed }), { verdict: 'more', p: 0.2 })
    const again = open(dataDir)
    expect(again.stored({ ...look, seal: sealed })).toMatchObject({ number: 1, answer: { verdict: 'more' } })
    expect(again.stored({ ...look, candidate: 'other', seal: sealed })).toBeUndefined()
    expect(again.look({ ...look, seal: sealed })).toMatchObject({ number: 1, answer: { verdict: 'more', p: 0.2 } })
    expect(again.sealOf(DAY)).toMatchObject({ looks: 1 })
    expect(again.look({ ...look, incumbent: null, seal: sealed })).toMatchObject({ number: 2, answer: undefined })
  })

  test('that a crash left without an answer is lost', () => {
    const dataDir = newDir()
    const sealed = seal(open(dataDir), 600, 1000)
    open(dataDir).look({ ...look, seal: sealed })
    expect(open(dataDir).look({ ...look, seal: sealed })).toMatchObject({ number: 2, answer: undefined })
  })

  test('at a seal that was extended is a new one, and those before it count', () => {
    const ledger = open(newDir())
    ledger.answer(ledger.look({ ...look, seal: seal(ledger, 600, 1000) }), 'more')
    expect(ledger.look({ ...look, seal: seal(ledger, 600, 2000) })).toMatchObject({ number: 2, answer: undefined })
  })
})
