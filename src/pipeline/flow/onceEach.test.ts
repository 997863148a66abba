import { from, lastValueFrom, toArray } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { rawEvent } from '../../../test/support/rawEvents.ts'
import { readEvent } from '../../contract/events.ts'
import { keyedUuid } from '../../core/ids.ts'
import type { InputBody } from '../protocol/input.ts'
import { onceEach } from './onceEach.ts'

const input = (raw: unknown, recorded = false): InputBody => ({ type: 'event', raw, read: readEvent(raw), cursor: undefined, recorded })
const [a, b, c, d, e] = [1, 2, 3, 4, 5].map((n) => rawEvent('ticket.expired', { ticketId: keyedUuid('ticket', n) })) as [
  ...[object, object, object, object, object],
]

async function through(bodies: readonly InputBody[], remembered?: number): Promise<unknown[]> {
  const passed = await lastValueFrom(from(bodies).pipe(onceEach(remembered === undefined ? {} : { remembered }), toArray()))
  return passed.map((body) => (body.type === 'event' ? body.raw : body.type))
}

describe('onceEach', () => {
  test('an event passes once, wherever its copy comes from', async () => {
    expect(await through([input(a, true), input(b, true), input(b), input(a), input(c), input(structuredClone(c))])).toEqual([a, b, c])
  })

  test('what is no event always passes', async () => {
    const caughtUp: InputBody = { type: 'caughtUp' }
    expect(await through([caughtUp, input(a), caughtUp, caughtUp])).toEqual(['caughtUp', a, 'caughtUp', 'caughtUp'])
  })

  test('events without an id are told apart by what they say', async () => {
    expect(await through([input({ odd: 1 }), input({ odd: 1 }), input({ odd: 2 }), input(null), input(null)])).toEqual([
      { odd: 1 },
      { odd: 2 },
      null,
    ])
  })

  test('an id that is no UUID is an id all the same', async () => {
    const odd = { ...a, id: 'seventeen' }
    expect(await through([input(odd), input({ ...odd, type: 'other' })])).toEqual([odd])
  })

  test('as many as are to be remembered are, and of those before them the newest: a stream that begins anew tells nothing new', async () => {
    const passed = await through(
      [a, b, c, b, a, d, c, e, a, b, c].map((raw) => input(raw)),
      2,
    )
    expect(passed, 'a comes again after four others').toEqual([a, b, c, d, e])
  })

  test('ids that are not ordered by time are forgotten soon after that: memory has a bound', async () => {
    const odd = [a, b, c, d, e].map((event, index) => ({ ...event, id: `${index}` }))
    const passed = await through(
      [...odd, ...odd.slice(0, 1)].map((raw) => input(raw)),
      2,
    )
    expect(passed).toEqual([...odd, odd[0]])
  })

  test('what is folded was seen, by its own id or by those after it; what the journal tells of it again passes', async () => {
    const seen = { ids: [(b as { id: string }).id], before: (a as { id: string }).id }
    const told = [input(b, true), input(a), input(b), input(c)]
    const passed = await lastValueFrom(from(told).pipe(onceEach({ seen }), toArray()))
    expect(passed).toEqual([told[0], told[3]])
  })
})
