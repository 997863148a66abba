import { expect, test } from 'vitest'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { type EventType, readEvent } from '../../contract/events.ts'
import { keyedUuid } from '../../core/ids.ts'
import { Attribution } from './attribution.ts'

const DAY_MS = 86_400_000
const [ticketId, contestId] = [keyedUuid('ticket'), keyedUuid('contest')]

function told(attribution: Attribution, type: EventType, data: Readonly<Record<string, unknown>>, atMs = START_MS): void {
  const read = readEvent(rawEvent(type, data, atMs))
  if (!read.ok) throw new Error(read.message)
  attribution.onEvent(read.event)
}

test('a ticket’s strategy becomes its contest’s', () => {
  const attribution = new Attribution()
  attribution.learn(ticketId, 'ladder')
  told(attribution, 'match.found', { ticketId, contestId })
  expect([attribution.of(ticketId), attribution.of(contestId)]).toEqual([undefined, 'ladder'])
})

test('a match of a ticket nobody here asked for is nobody’s', () => {
  const attribution = new Attribution()
  told(attribution, 'match.found', { ticketId, contestId })
  expect(attribution.of(contestId)).toBeUndefined()
})

test.each<[EventType, string]>([
  ['ticket.expired', ticketId],
  ['ticket.failed', ticketId],
  ['contest.cancelled', contestId],
])('%s forgets it', (type, id) => {
  const attribution = new Attribution()
  attribution.learn(id, 'ladder')
  told(attribution, type, { ticketId, contestId })
  expect(attribution.of(id)).toBeUndefined()
})

test('a settled contest is remembered for two days, and no longer', () => {
  const attribution = new Attribution()
  const idOf = (day: number) => keyedUuid('day', day)
  for (let day = 0; day < 10; day++) {
    attribution.learn(idOf(day), 'ladder')
    told(attribution, 'contest.settled', { contestId: idOf(day) }, START_MS + day * DAY_MS)
  }
  const known = Array.from({ length: 10 }, (_, day) => day).filter((day) => attribution.of(idOf(day)) !== undefined)
  expect(known).toEqual([8, 9])
})
