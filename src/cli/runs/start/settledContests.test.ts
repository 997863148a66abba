import { Subject } from 'rxjs'
import { expect, test } from 'vitest'
import { rawEvent } from '../../../../test/support/rawEvents.ts'
import { openTestBot } from '../../../../test/support/testBot.ts'
import { keyedUuid } from '../../../core/ids.ts'
import type { Step } from '../../../pipeline/index.ts'
import { settledContests } from './settledContests.ts'

const settled = (name: string) => rawEvent('contest.settled', { contestId: keyedUuid(name) })

test('counts what is settled while the bots play, and nothing of before', async () => {
  const change$ = new Subject<{ bot: string; step: Step }>()
  const counts: number[] = []
  settledContests(change$).subscribe((count) => counts.push(count))
  const bots = await Promise.all(
    ['alice', 'bob'].map((bot) =>
      openTestBot({ name: bot, caughtUp: false, observer: { begins: () => {}, step: (step) => change$.next({ bot, step }) } }),
    ),
  )
  const [alice, bob] = bots as [(typeof bots)[0], (typeof bots)[0]]
  await alice.tell(settled('past'), settled('long past'))
  alice.events.catchUp()
  await alice.tell(settled('one'))
  await bob.tell(settled('past of another'))
  bob.events.catchUp()
  await bob.tell(settled('two'), rawEvent('contest.live', { contestId: keyedUuid('three') }))
  expect(counts).toEqual([1, 2])
})
