import { expect, test } from 'vitest'
import type { Frame, FrameBot } from '../../stream/shown.ts'
import { announcementsOf } from './announcementsOf.ts'

const bot = (own: Partial<FrameBot> = {}): FrameBot => ({ name: 'alice', phase: 'running', stopped: 'nothing', ...own })
const frame = (bots: readonly FrameBot[], stopped: Frame['stopped'] = 'nothing'): Frame => ({
  service: 'sandbox',
  isDryRun: false,
  stopped,
  bots,
})
const open = (shown: Frame) => ({ frame: shown, state: 'open' as const })

test('a trouble is told when it comes, when it grows and when it goes, and not in between', () => {
  const well = open(frame([bot()]))
  const warned = open(frame([bot({ severity: 'warn', message: 'The stream is late.' })]))
  const alarmed = open(frame([bot({ severity: 'alarm', message: 'The stream stands still.' })]))
  expect(announcementsOf(well, warned)).toEqual(['Warning: alice. The stream is late.'])
  expect(announcementsOf(warned, alarmed)).toEqual(['Alarm: alice. The stream stands still.'])
  expect(announcementsOf(alarmed, well)).toEqual(['alice is well again.'])
  expect(announcementsOf(alarmed, alarmed)).toEqual([])
  expect(announcementsOf(well, open(frame([bot({ severity: 'info', message: 'x' })])))).toEqual([])
})

test('a word of the operator is told once: of all, or of the one', () => {
  const before = open(frame([bot(), bot({ name: 'bob' })]))
  const all = [bot({ stopped: 'all' }), bot({ name: 'bob', stopped: 'all' })]
  expect(announcementsOf(before, open(frame(all, 'all')))).toEqual(['All bots: Kill switch on.'])
  expect(announcementsOf(before, open(frame([bot({ stopped: 'entries' }), bot({ name: 'bob' })])))).toEqual(['alice: Entries stopped.'])
})

test('a lost connection is told, and one that is back; the first sight of a page is no news', () => {
  const shown = frame([bot({ severity: 'alarm', message: 'x' })])
  expect(announcementsOf({ frame: shown, state: 'open' }, { frame: shown, state: 'lost' })).toEqual(['Connection lost, trying again.'])
  expect(announcementsOf({ frame: shown, state: 'lost' }, { frame: shown, state: 'open' })).toEqual(['Connected again.'])
  expect(announcementsOf({ frame: undefined, state: 'opening' }, { frame: shown, state: 'open' })).toEqual([])
})
