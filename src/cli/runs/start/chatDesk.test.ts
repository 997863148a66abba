import { expect, test } from 'vitest'
import type { BotRow, BotView, FleetView, Trouble } from '../../../dashboard/index.ts'
import { chatDeskOf } from './chatDesk.ts'

const NOW = Date.UTC(2026, 0, 10)
const HOUR_MS = 3_600_000

const row = (name: string, fields: Partial<BotRow> = {}): BotRow => ({
  ...{ name, phase: 'running', severity: undefined, troubles: [], isCaughtUp: true, isDraining: false, stopped: 'nothing' },
  ...{ equity: '1007109999', held: '3000000', unpriced: 0, pricedAt: NOW },
  ...{ bankroll: '1002109999', inPlay: '2000000', profit: '2300001', settled: 12, faults: 0, unknown: 0, open: [], lastResults: [] },
  today: { lost: '0', inPlay: '0', reserved: '0', cap: '20000000', serviceCap: undefined, serviceLost: undefined },
  stream: { state: 'current', readAt: NOW, startedAt: NOW },
  ...fields,
})

const curve = [
  { at: NOW - 200 * HOUR_MS, profit: '-4000000' },
  { at: NOW - 100 * HOUR_MS, profit: '1000000' },
  { at: NOW - 24 * HOUR_MS, profit: '2500000' },
  { at: NOW - HOUR_MS, profit: '2300001' },
]

function deskOf(...bots: readonly BotRow[]) {
  const fleet: FleetView = { at: NOW, service: 'sandbox', isDryRun: false, stopped: 'nothing', bots, curve: [] }
  const said: unknown[] = []
  const desk = chatDeskOf(
    { fleet: () => fleet, bot: () => ({ curve }) as unknown as BotView },
    { say: (command, bot) => void said.push([command, bot]) },
  )
  return { desk, said }
}

test('how the bots stand, with what is wrong; what is not known is no nought', () => {
  const trouble = (message: string): Trouble => ({ kind: 'streamLate', severity: 'warn', message })
  const ill = row('bob', {
    ...{ stopped: 'all', equity: undefined, unpriced: 1, bankroll: undefined, settled: undefined },
    troubles: [trouble('one\nforged line'), trouble('two'), trouble('three'), trouble('four'), trouble('five')],
  })
  const { desk } = deskOf(row('alice'), ill)
  expect(desk.bots).toEqual(['alice', 'bob'])
  expect(desk.status().split('\n')).toEqual([
    'sandbox',
    'alice: playing; equity 1007.109999 USDC, available 1002.109999 USDC, in play 2.00 USDC; open 0, settled 12',
    'bob: kill switch; equity not known yet and 1 without a price, available not known yet, in play 2.00 USDC; open 0, settled not known yet',
    expect.stringMatching(/^ {2}! one.+forged line$/),
    '  ! two',
    '  ! three',
    '  and 2 more troubles',
  ])
})

test('profit of the journal, of a week and of a day, to the micro-USDC', () => {
  const { desk } = deskOf(row('alice'), row('bob'))
  expect(desk.profit(undefined)).toBe(
    'Profit since the data directory was made, in USDC\nall bots: +4.600002\nalice: +2.300001\nbob: +2.300001',
  )
  expect(desk.profit('week').split('\n').slice(1)).toEqual(['all bots: +12.600002', 'alice: +6.300001', 'bob: +6.300001'])
  expect(deskOf(row('alice')).desk.profit('day')).toBe('Profit in the last 24 hours, in USDC\nalice: -0.199999')
})

test('bots of other hosts are told of with the host that plays them, as long as that is heard of', () => {
  const elsewhere = { host: 'h2', page: undefined, heardAt: NOW, isSilent: false, note: undefined }
  const silent = row('bob', { elsewhere: { ...elsewhere, isSilent: true } })
  const unheld = row('carol', { phase: 'elsewhere', elsewhere: { ...elsewhere, host: undefined } })
  const { desk } = deskOf(row('alice', { elsewhere }), silent, unheld)
  const [, ...lines] = desk.status().split('\n')
  expect(lines.map((line) => line.slice(0, line.indexOf(';')))).toEqual([
    'alice: playing on h2',
    'bob: no word of it on h2',
    'carol: not played',
  ])
  expect(desk.profit('day').split('\n').slice(1, 4)).toEqual(['all bots: not known yet', 'alice: -0.199999', 'bob: not known yet'])
})

test('the sum is not known where one of its parts is not', () => {
  const { desk } = deskOf(row('alice'), row('bob', { profit: undefined }))
  expect(desk.profit('day').split('\n').slice(1)).toEqual(['all bots: not known yet', 'alice: -0.199999', 'bob: not known yet'])
})

test('what is said is said to the bots', () => {
  const { desk, said } = deskOf(row('alice'))
  void desk.say('stopAll', 'alice')
  expect(said).toEqual([['stopAll', 'alice']])
  expect(desk.summary()).toContain('Profit in the last 24 hours')
})
