import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sealedText, segmentOf } from '../../test/support/logFiles.ts'
import { readEvent } from '../contract/events.ts'
import { type InputBody, recordedBody } from '../pipeline/index.ts'
import { checkLog } from './checkLog.ts'
import { readLine } from './readLine.ts'

const page = readFileSync(new URL('../../docs/log-format.md', import.meta.url), 'utf8')
/** Every type of input that a recording has as such: one that is missing here does not compile. */
const INPUTS: Readonly<Record<Exclude<InputBody['type'], 'prices'>, true>> = {
  ...{ started: true, event: true, caughtUp: true, behind: true, restored: true, answer: true, timer: true, clock: true, paused: true },
  ...{ chainBalance: true, feed: true, outcome: true, quoted: true, built: true, landing: true, late: true, operator: true, mode: true },
  ...{ ordered: true, pathChecked: true, tokens: true, siblingEntered: true, siblingLeft: true },
}
const example = /```ndjson\n(.*?)```/s.exec(page)?.[1] ?? ''

describe('docs/log-format.md', () => {
  test('the example is sound, and its checksums are those we compute', () => {
    const lines = example
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.map(({ kind }) => kind)).toEqual(['header', 'input', 'prices', 'output'])
    expect(checkLog(segmentOf(example))).toEqual([])
    expect(sealedText(lines.map(({ crc: _crc, ...line }) => line))).toBe(example)
  })

  test('names the fields of an event as they are recorded', () => {
    const raw = { id: 'e-1', type: 'ticket.expired', data: { ticketId: 't-1' }, createdAt: '2026-01-02T03:04:05Z' }
    const { body } = recordedBody({ type: 'event', n: 1, at: 0, raw, read: readEvent(raw), cursor: 'e-1', recorded: false })
    const [, row = ''] = /\| `event` \|(.*)\|/.exec(page) ?? []
    expect([...row.matchAll(/`(\w+)`/g)].map(([, field]) => field)).toEqual(Object.keys(body as object))
  })

  test.each(Object.keys(INPUTS))('and the reader know the input %s', (type) => {
    expect(page).toContain(`| \`${type}\` |`)
    const { fault } = readLine({ kind: 'input', n: 1, at: 1, type, body: {} })
    expect(fault?.what ?? '').not.toContain('is no type of input')
  })

  test('lists every code a reader can throw', () => {
    const source = readFileSync(new URL('./logError.ts', import.meta.url), 'utf8')
    const codes = new Set(source.match(/LOG_[A-Z_]+/g))
    expect(codes.size).toBe(9)
    for (const code of codes) expect(page).toContain(`| \`${code}\` |`)
  })
})
