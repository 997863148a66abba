import { describe, expect, test } from 'vitest'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import {
  accepted,
  decoded,
  openContest,
  rejected,
  type ScriptedService,
  unknown,
  unreadable,
} from '../../../test/support/scriptedService.ts'
import { openTestBot, type TestBot } from '../../../test/support/testBot.ts'
import { picker } from '../../../test/support/testStrategies.ts'
import { keyedUuid } from '../../core/ids.ts'
import type { DraftContext } from '../../strategy/define.ts'
import type { Outcome } from '../protocol/outcome.ts'

// A draft of two picks in which the bot makes the first alone: the log says which part of the stake's moves is missing, and why.

const DRAFT = keyedUuid('draft of two')
const ENTRY = keyedUuid('own entry')
const POOL = ['a', 'b', 'c', 'd', 'e']
const TURN_MS = 3000
/** The bot's own turns: the first and the last of a snake of two players and two rounds. */
const SECOND_TURN_MS = START_MS + 3 * TURN_MS
const STARTS_MS = START_MS + 4 * TURN_MS
const ENDS_MS = STARTS_MS + 18_000
const iso = (ms: number) => new Date(ms).toISOString()

type Pick = (context: DraftContext<unknown>) => string | null | undefined | Promise<string>
const first: Pick = ({ draft }) => draft.available[0]

/** One way in which the second pick comes to nothing. */
interface Part {
  /** Answer of the service to the second pick. Default: the pick is taken. */
  readonly answer?: (service: ScriptedService, taken: () => Outcome) => Outcome | Promise<Outcome>
  readonly isUnreadable?: boolean
  /** What the picker does in its second turn. Default: it picks. */
  readonly pick?: Pick
}

/** Plays the draft to its end; the service picks by itself whatever is not picked within a turn. */
async function drafted({ answer, isUnreadable = false, pick = first }: Part): Promise<TestBot> {
  const own: string[] = []
  const isSecond = () => own.length > 0
  const bot = await openTestBot({ strategies: [picker((context) => (isSecond() ? pick(context) : first(context)))] })
  const { clock, service } = bot
  const turnNow = () => Math.floor((clock.now() - START_MS) / TURN_MS)
  service.contests = [
    openContest(DRAFT, {
      ...{ mode: 'draft_basket', status: 'live', filled: 2, startsAt: iso(STARTS_MS), endsAt: iso(ENDS_MS) },
      ...{ params: { picks: 2, pickSec: TURN_MS / 1000, pool: POOL }, you: { entryId: ENTRY, side: null, ready: true } },
    }),
  ]
  const isPicked = () => (turnNow() === 0 ? own.length > 0 : own.length > 1)
  service.onRead('agent.modes.state', () => {
    const turn = turnNow()
    const isSecondTurn = clock.now() >= SECOND_TURN_MS
    if (isSecondTurn && isUnreadable) return unreadable()
    const isDraft = turn < 4
    const isOurs = (turn === 0 || turn === 3) && !isPicked()
    const mine = turn < 4 ? own : [...own, ...(own.length < 2 ? ['e'] : [])]
    const theirs = turn < 1 ? [] : turn < 2 ? ['b'] : ['b', 'c']
    const pickBy = iso(START_MS + (turn + 1) * TURN_MS)
    const [entryId, userId] = [isOurs ? ENTRY : keyedUuid('entry of the other'), isOurs ? 'us' : 'them']
    return decoded('agent.modes.state', {
      ...{ contestId: DRAFT, mode: 'draft_basket', entryId: ENTRY, phase: isDraft ? 'draft' : 'running' },
      ...{ round: turn < 2 ? 1 : 2, yourTurn: isDraft && isOurs, pickBy: isDraft ? pickBy : null },
      turn: isDraft ? { entryId, userId, round: turn < 2 ? 1 : 2, pickBy } : null,
      ...{ available: POOL.filter((token) => !mine.includes(token) && !theirs.includes(token)), mine, theirs },
      picks: [
        { entryId: ENTRY, userId: 'us', tokens: mine, automatic: mine.length - own.length },
        { entryId: keyedUuid('entry of the other'), userId: 'them', tokens: theirs, automatic: 0 },
      ],
    })
  })
  service.onAct('agent.modes.draftPick', ({ token }) => {
    const taken = () => {
      if (own.includes(token) || token === 'b' || token === 'c') return rejected('TOKEN_TAKEN')
      own.push(token)
      return accepted()
    }
    return isSecond() && answer !== undefined ? answer(service, taken) : taken()
  })
  const ids = { contestId: DRAFT, mode: 'draft_basket' }
  await bot.tell(
    rawEvent('match.found', { ticketId: keyedUuid('ticket of the draft'), ...ids }),
    rawEvent('contest.live', { ...ids, startsAt: iso(STARTS_MS), endsAt: iso(ENDS_MS) }),
  )
  await bot.run(ENDS_MS - START_MS)
  await bot.tell(rawEvent('contest.settled', { ...ids, result: 'LOSS', payout: '0', profit: '-1000000' }, ENDS_MS))
  // What is still on its way comes to its end.
  await bot.run(60_000)
  return bot
}

const notesWith = ({ steps }: TestBot, code: string) => steps.flatMap(({ notes }) => notes.filter(({ fields }) => fields.code === code))

const OF_SERVICE = /^(refused:|unread$|tooLate$|unanswered)/
const OF_STRATEGY = /^(abstained$|suspended$|tooLate$|failed$|guard:)/

describe('a draft of which one pick of two was made', () => {
  test.each<[what: string, part: Part, hindrance: RegExp]>([
    ['is refused', { answer: () => rejected('CONTEST_NOT_LIVE') }, /^refused:CONTEST_NOT_LIVE$/],
    ['hangs', { answer: (service) => service.after(20_000, unknown) }, OF_SERVICE],
    ['fails at the service', { answer: () => rejected('INTERNAL', 500) }, OF_SERVICE],
    ['loses its connection', { answer: () => unknown }, OF_SERVICE],
    ['has a state that cannot be read', { isUnreadable: true }, OF_SERVICE],
    [
      'has a picker that throws',
      {
        pick: () => {
          throw new Error('no idea')
        },
      },
      OF_STRATEGY,
    ],
    ['has a picker that hangs', { pick: () => new Promise(() => {}) }, OF_STRATEGY],
    ['has a picker that returns nothing', { pick: () => undefined }, /^abstained$/],
    ['has a picker that returns a token that is taken', { pick: () => 'b' }, OF_STRATEGY],
  ])('is reported where the second %s', async (_, part, hindrance) => {
    const bot = await drafted(part)
    const [told, ...more] = notesWith(bot, 'UNPLAYED_PART')
    expect(told, bot.steps.flatMap(({ notes }) => notes.map(({ message }) => message)).join('\n')).toBeDefined()
    expect(['warn', 'error']).toContain(told?.level)
    expect({ ...told?.fields, stake: String(told?.fields.stake) }).toMatchObject({
      ...{ contestId: DRAFT, mode: 'draft_basket', stake: '1000000', picked: 1, picks: 2 },
      hindrance: expect.stringMatching(hindrance),
    })
    expect(more).toEqual([])
    expect(notesWith(bot, 'UNPLAYED')).toEqual([])
  })

  test('is none of those where the second loses its connection once: it is made again in the same turn', async () => {
    let lost = 0
    const bot = await drafted({ answer: (_, taken) => (lost++ === 0 ? unknown : taken()) })
    expect(bot.service.sent('agent.modes.draftPick').map(({ token }) => token)).toEqual(['a', 'd', 'd'])
    expect([...notesWith(bot, 'UNPLAYED_PART'), ...notesWith(bot, 'UNPLAYED')]).toEqual([])
  })

  test('sends few requests for a pick that never has an answer', async () => {
    const bot = await drafted({ answer: () => unknown })
    expect(bot.service.sent('agent.modes.draftPick').length).toBeLessThan(8)
  })

  test('is none of those where both were taken', async () => {
    const bot = await drafted({})
    expect(bot.service.sent('agent.modes.draftPick').map(({ token }) => token)).toEqual(['a', 'd'])
    expect(notesWith(bot, 'UNPLAYED_PART')).toEqual([])
    expect(notesWith(bot, 'UNPLAYED')).toEqual([])
  })
})
