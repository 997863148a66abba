import { stripVTControlCharacters } from 'node:util'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import type { BotRow, FleetView } from '../../../../dashboard/index.ts'
import type { Look } from './look.ts'
import { statusText } from './statusText.ts'

const NOW = 1_000_000_000
const same = (text: string) => text
const plain: Look = { good: same, bad: same, warn: same, faint: same, strong: same }
const red = (text: string) => `\u001b[31m${text}\u001b[39m`
const coloured: Look = { good: red, bad: red, warn: red, faint: red, strong: red }

const bot = (name: string, fields: Partial<BotRow> = {}): BotRow => ({
  ...{ name, phase: 'running', severity: undefined, troubles: [], isCaughtUp: true, isDraining: false, stopped: 'nothing' },
  ...{
    equity: '1004109999',
    bankroll: '1002109999',
    inPlay: '2000000',
    held: '0',
    unpriced: 0,
    pricedAt: undefined,
    profit: '2300000',
    settled: 12,
    faults: 0,
    unknown: 0,
  },
  today: { lost: '1000000', inPlay: '2000000', reserved: '0', cap: '20000000', serviceCap: undefined, serviceLost: undefined },
  ...{
    open: [],
    lastResults: ['WIN', 'LOSS', 'DRAW', 'REFUND'],
    stream: { state: 'current', readAt: NOW - 2000, startedAt: NOW - 200_000 },
  },
  ...fields,
})

const fleetOf = (...bots: readonly BotRow[]): FleetView => ({
  at: NOW,
  service: 'sandbox',
  isDryRun: false,
  stopped: 'nothing',
  bots,
  curve: [],
})

function linesOf(
  view: FleetView,
  { columns = 120, rows = 15, messages = [] as readonly string[], look = plain, address = undefined as string | undefined } = {},
) {
  return statusText({ view, columns, rows, messages, address, runsForMs: 65_000 }, look).split('\n')
}

describe('the live status', () => {
  test('a bot as a line, its figures under their titles', () => {
    expect(linesOf(fleetOf(bot('alice'), bot('a-much-longer-name', { profit: '-12300000', bankroll: undefined })))).toEqual([
      '',
      'cornerman  sandbox  ·  65s',
      '',
      'bot                 state         equity  bankroll  profit       today  open  settled  last  events',
      'alice               playing  1004.109999   1002.10   +2.30  3.00/20.00     0       12  WLDR  2s ago',
      'a-much-longer-name  playing  1004.109999         …  -12.30  3.00/20.00     0       12  WLDR  2s ago',
    ])
  })

  test('what is not known is no nought', () => {
    const today = {
      lost: undefined,
      inPlay: undefined,
      reserved: undefined,
      cap: '20000000',
      serviceCap: undefined,
      serviceLost: undefined,
    }
    const [line] = linesOf(fleetOf(bot('alice', { equity: undefined, profit: undefined, settled: undefined, today }))).slice(-1)
    expect(line).toBe('alice  playing       …   1002.10       …  …/20.00     0        …  WLDR  2s ago')
  })

  test('an equity without what has no price says so', () => {
    const [line] = linesOf(fleetOf(bot('alice', { unpriced: 2 }))).slice(-1)
    expect(line).toContain('1004.109999 + 2 unpriced ')
  })

  test('what is open, and how long it takes', () => {
    const contest = { kind: 'contest', id: '1', mode: 'up_down', stake: '2000000', token: undefined, side: 'UP', phase: 'live' } as const
    const ticket = { ...contest, kind: 'ticket', side: undefined, phase: undefined, startsAt: undefined, endsAt: undefined } as const
    const lines = linesOf(
      fleetOf(
        bot('alice', {
          open: [
            { ...contest, startsAt: NOW - 1000, endsAt: NOW + 12_000 },
            { ...contest, startsAt: NOW + 3000, endsAt: NOW + 60_000 },
            ticket,
          ],
        }),
      ),
    )
    expect(lines.slice(-3)).toEqual([
      '  up_down              2.00 USDC  UP             12s left',
      '  up_down              2.00 USDC  UP             starts in 3s',
      '  up_down              2.00 USDC                 waiting for a match',
    ])
  })

  test('who needs the owner stands first, with what is wrong', () => {
    const trouble = { kind: 'streamLate', severity: 'alarm', message: 'no event has been read for 130 s' } as const
    const ill = bot('zoe', {
      severity: 'alarm',
      troubles: [trouble],
      stream: { state: 'stalled', readAt: NOW - 130_000, startedAt: NOW - 200_000 },
    })
    const lines = linesOf(fleetOf(bot('alice'), ill))
    expect(lines[4]).toContain('zoe')
    expect(lines[4]).toContain('2m10s ago')
    expect(lines[5]).toBe('  ! no event has been read for 130 s')
  })

  test.each([
    ['the kill switch', { stopped: 'all' }, 'kill switch'],
    ['no entries', { stopped: 'entries' }, 'no entries'],
    ['a bot that drains', { isDraining: true }, 'draining'],
    ['one that catches up', { isCaughtUp: false }, 'catching up'],
    ['one that ended', { phase: 'stopped' }, 'stopped'],
  ] as const)('%s is said', (_what, fields, said) => {
    expect(linesOf(fleetOf(bot('alice', fields)))[4]).toMatch(new RegExp(`^alice +${said} `))
  })

  test('two hundred bots in a small window: as many as there is room for, and no line that wraps, colours or none', () => {
    const bots = Array.from({ length: 200 }, (_, index) => bot(`bot-${index}`, index === 150 ? { severity: 'warn' } : {}))
    for (const look of [plain, coloured])
      for (const rows of [10, 24, 50]) {
        const lines = linesOf(fleetOf(...bots), { columns: 60, rows, messages: ['a message '.repeat(30)], look })
        expect(lines.length).toBeLessThan(rows)
        expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(59)
        expect(lines.map(stripVTControlCharacters).find((line) => line.startsWith('bot-'))).toContain('bot-150')
        expect(stripVTControlCharacters(lines.join('\n'))).toMatch(/and \d+ more, all well/)
      }
  })

  test('a high window explains what a day counts, and how to leave: while it drains, too', () => {
    const [today, leave] = linesOf(fleetOf(bot('alice')), { rows: 16 }).slice(-2)
    expect(today).toBe('today: lost, in play and reserved, of guard.dailyLoss; a new day begins at 00:00 UTC')
    expect(leave).toBe('Ctrl-C: enters nothing more, finishes what is open, and ends')
    const draining = linesOf(fleetOf(bot('alice'), bot('bob', { isDraining: true })), { rows: 16, columns: 200 }).at(-1)
    expect(draining).toMatch(/^draining: it ends once what is open is finished, within 2 minutes\. Ctrl-C again, .* ends it at once/)
  })

  test('what the bots leave of the window is the log’s, the newest last', () => {
    const messages = Array.from({ length: 50 }, (_, index) => `message ${index}`)
    for (const rows of [12, 16, 24, 40]) {
      const lines = linesOf(fleetOf(bot('alice')), { rows, messages })
      expect([rows - 2, rows - 3]).toContain(lines.length)
      expect(lines.at(-1)).toBe('message 49')
    }
    expect(
      linesOf(fleetOf(bot('alice')), { rows: 40, messages: messages.slice(0, 3) }).filter((line) => line.startsWith('message')),
    ).toHaveLength(3)
  })

  test('details of those in trouble stay where there is no room for those of all', () => {
    const trouble = { kind: 'streamLate', severity: 'alarm', message: 'no event has been read for 130 s' } as const
    const contest = { kind: 'contest', id: '1', mode: 'up_down', stake: '2000000', token: undefined, side: 'UP', phase: 'live' } as const
    const open = Array.from({ length: 6 }, () => ({ ...contest, startsAt: NOW, endsAt: NOW + 12_000 }))
    const lines = linesOf(fleetOf(bot('alice', { open }), bot('zoe', { severity: 'alarm', troubles: [trouble] })), { rows: 12 })
    expect(lines.filter((line) => line.includes('up_down'))).toEqual([])
    expect(lines).toContain('  ! no event has been read for 130 s')
  })

  test('the address of the page is in it, and the newest messages are under it', () => {
    const lines = linesOf(fleetOf(bot('alice')), { address: 'http://127.0.0.1:8788', messages: ['one', 'two'] })
    expect(lines.slice(1, 3)).toEqual(['cornerman  sandbox  ·  65s', 'http://127.0.0.1:8788'])
    expect(lines.slice(-3)).toEqual(['', 'one', 'two'])
  })

  test.each([120, 80, 40])('at %i columns the whole address is there: what lets the browser in is its end', (columns) => {
    const address = `http://127.0.0.1:8788/#token=${'0123456789abcdef'.repeat(3)}`
    const lines = linesOf(fleetOf(bot('alice')), { address, columns, rows: 20 })
    expect(lines.join('')).toContain(address)
    expect(lines.includes(address), 'in one piece where there is room').toBe(columns >= 80)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(columns)
    expect(lines.length).toBeLessThanOrEqual(20)
  })
})
