import { describe, expect, test } from 'vitest'
import { ENDS_MS, openPrediction, predictionSettled, revealsOf, shelvePrediction } from '../../test/support/predictionContest.ts'
import { rawEvent, START_MS } from '../../test/support/rawEvents.ts'
import { accepted, queuedTicket, rejected, type ScriptedService, unknown } from '../../test/support/scriptedService.ts'
import { openTestBot, type TestBot } from '../../test/support/testBot.ts'
import { picker, policy } from '../../test/support/testStrategies.ts'
import { keyedUuid } from '../core/ids.ts'
import { usdc } from '../core/usdc.ts'
import { enqueue } from '../strategy/action.ts'
import { recordedBody } from './protocol/recorded.ts'

// What a refused move means for the next one: by the codes of the table, or by the words of a mapping.

const contestId = keyedUuid('contest')
const entryId = keyedUuid('entry')
const iso = (afterMs: number) => new Date(START_MS + afterMs).toISOString()
const entry = enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 })
const commits = ({ service }: TestBot) => service.sent('agent.modes.commitPrediction')
const codes = ({ steps }: TestBot) => steps.flatMap(({ notes }) => notes.map(({ fields }) => fields.code))

describe('a pick', () => {
  const state = (shown: object = {}) => ({
    ...{ mode: 'draft_basket', phase: 'draft', entryId, yourTurn: true, round: 1, available: ['a', 'b', 'c'], mine: [] },
    ...shown,
  })
  const picks = ({ service }: TestBot) => service.sent('agent.modes.draftPick').map(({ token }) => token)

  async function openDraft(refuse: (token: string, tries: number) => ReturnType<typeof rejected> | undefined): Promise<TestBot> {
    const bot = await openTestBot({ strategies: [picker(({ draft }) => draft.available[0])] })
    const { service } = bot
    let tries = 0
    service.states.set(contestId, state())
    service.onAct('agent.modes.draftPick', ({ token }) => {
      const refused = refuse(token, ++tries)
      if (refused === undefined) service.states.set(contestId, state({ yourTurn: false, mine: [token] }))
      return refused ?? accepted()
    })
    await bot.tell(
      rawEvent('match.found', { ticketId: keyedUuid('ticket'), contestId, mode: 'draft_basket' }),
      rawEvent('contest.live', { contestId, mode: 'draft_basket', startsAt: iso(12_000), endsAt: iso(30_000) }),
    )
    return bot
  }

  test.each([
    ['the table', () => rejected('TOKEN_TAKEN')],
    ['a mapping', () => rejected('MINT_GONE', 400, 'taken')],
  ])('refused as taken, by %s, leaves its token out of the pool of that turn, at once', async (_by, refused) => {
    const bot = await openDraft((token) => (token === 'c' ? undefined : refused()))
    expect(picks(bot)).toEqual(['a', 'b', 'c'])
    await bot.run(1000)
    // The next turn has the pool that the state shows.
    bot.service.states.set(contestId, state({ round: 2, mine: ['c'], available: ['a', 'b'] }))
    await bot.run(100)
    expect(picks(bot)).toHaveLength(3)
    await bot.run(1000)
    expect(picks(bot).slice(3)).toEqual(['a', 'b'])
  })

  test('refused as taken stays left out, however often the state is read in that turn', async () => {
    const bot = await openDraft(() => rejected('TOKEN_TAKEN'))
    await bot.run(8000)
    expect(picks(bot)).toEqual(['a', 'b', 'c'])
  })

  test('refused as early is made again soon, as late in another turn alone', async () => {
    const early = await openDraft(() => rejected('NO', 409, 'notYet'))
    await early.run(2000)
    expect(picks(early).length).toBeGreaterThan(3)
    const late = await openDraft((_token, tries) => (tries === 1 ? rejected('NO', 409, 'tooLate') : undefined))
    await late.run(2000)
    expect(picks(late)).toHaveLength(1)
    late.service.states.set(contestId, state({ round: 2 }))
    await late.run(1000)
    expect(picks(late)).toHaveLength(2)
  })
})

describe('a commitment', () => {
  test.each([
    ['COMMIT_CLOSED', () => rejected('COMMIT_CLOSED')],
    ['one of a mapping', () => rejected('LOCKED', 409, 'tooLate')],
  ])('refused as late, with %s, is not made again', async (_code, refused) => {
    const bot = await openPrediction({}, (service) => service.onAct('agent.modes.commitPrediction', refused))
    await bot.run(4000)
    expect(commits(bot)).toHaveLength(1)
  })

  test('refused as late is shown all the same where an earlier request of it was taken', async () => {
    const bot = await openPrediction({}, (service) =>
      service.onAct('agent.modes.commitPrediction', () => {
        if (service.sent('agent.modes.commitPrediction').length === 1) return unknown
        shelvePrediction(service, { phase: 'playing', committed: true })
        return rejected('COMMIT_CLOSED')
      }),
    )
    await bot.run(ENDS_MS - START_MS + 1000)
    expect(commits(bot)).toHaveLength(2)
    expect(revealsOf(bot)).toHaveLength(1)
  })

  test('refused as made is made', async () => {
    const bot = await openPrediction({}, (service) => {
      shelvePrediction(service, { committed: undefined })
      service.onAct('agent.modes.commitPrediction', () => rejected('ALREADY_COMMITTED'))
    })
    await bot.run(1000)
    expect(bot.journal.outcomes).toEqual([{ type: 'commitPrediction', status: 'accepted' }])
    expect(bot.journal.custodyOf(bot.service.states.keys().next().value ?? '').at(-1)?.status).toBe('committed')
  })
})

describe('a phase whose word nobody knows', () => {
  const unclear = (phase: string) => (service: ScriptedService) => shelvePrediction(service, { phase, commitBy: undefined })
  const said = (bot: TestBot) => bot.steps.flatMap(({ notes }) => notes.filter(({ fields }) => fields.code === 'WORD_UNKNOWN'))

  test('is said once a word, and a commitment is made once a word says that it may be', async () => {
    const bot = await openPrediction({}, unclear('warmup'))
    await bot.run(7000)
    expect(commits(bot)).toEqual([])
    expect(said(bot)).toHaveLength(1)
    // After the start of the contest.
    shelvePrediction(bot.service, { phase: 'committing', commitBy: undefined })
    bot.service.onAct('agent.modes.commitPrediction', () => {
      unclear('counting')(bot.service)
      return accepted()
    })
    await bot.run(3000)
    expect(commits(bot)).toHaveLength(1)
    // What it has taken it need not show.
    expect(said(bot)).toHaveLength(1)
  })

  test('that stands to the end is why its contest was not played', async () => {
    const bot = await openPrediction({}, unclear('warmup'))
    await bot.run(ENDS_MS - START_MS)
    await bot.tell(predictionSettled('LOSS'))
    const [unplayed] = bot.steps.flatMap(({ notes }) => notes.filter(({ fields }) => fields.code === 'UNPLAYED'))
    expect(unplayed?.fields.hindrance).toBe('noPiece')
  })
})

describe('a reveal', () => {
  const tried = async (refused: () => ReturnType<typeof rejected>) => {
    const bot = await openPrediction()
    await bot.run(1000)
    bot.service.onAct('agent.modes.revealPrediction', refused)
    await bot.run(ENDS_MS - START_MS + 14_000)
    return revealsOf(bot).length
  }

  test('refused as late is tried seldom: that word may be wrong, and the stake hangs on it', async () => {
    expect(await tried(() => rejected('CLOSED', 409, 'tooLate'))).toBe(2)
    expect(await tried(() => rejected('REVEAL_NOT_OPEN'))).toBeGreaterThan(5)
  })
})

describe('an entry', () => {
  const refusing = (refused: () => ReturnType<typeof rejected>, prepare: (service: ScriptedService) => void = () => {}) =>
    openTestBot({
      strategies: [policy(({ tickets, contests }) => (tickets.length + contests.length > 0 ? [] : [entry]), { everySec: 1 })],
      prepare: (service) => {
        service.onAct('agent.queue.enqueue', refused)
        prepare(service)
      },
    })

  test('refused with a code that nobody knows is a plain refusal, and said once a code', async () => {
    let tries = 0
    const bot = await refusing(() => rejected(++tries % 2 === 0 ? 'NO_WAY' : 'NEVER', 400))
    await bot.run(10_000)
    const said = bot.notes('warn').filter((note) => note.includes('words.refusal'))
    expect(said).toHaveLength(2)
    expect(said[0]).toBe(
      "the service refuses with NEVER (refused: NEVER), and nobody has said what that means: it counts as a refusal and no more. Add it to words.refusal of the service's shapes",
    )
    expect(codes(bot).filter((code) => code === 'REFUSAL_UNKNOWN')).toHaveLength(2)
    expect(bot.journal.outcomes.every(({ status }) => status === 'rejected')).toBe(true)
  })

  test('refused with one of the table, or of a mapping, is not said so', async () => {
    for (const refused of [rejected('STAKE_OVER_CAP', 403), rejected('X', 400, 'cap'), rejected('HTTP_400', 400)]) {
      const bot = await refusing(() => refused)
      await bot.run(3000)
      expect(codes(bot)).not.toContain('REFUSAL_UNKNOWN')
    }
  })

  test('refused as done is so only where the service shows it', async () => {
    const done = () => rejected('QUEUED_ALREADY', 409, 'done')
    const without = await refusing(done)
    expect(without.journal.outcomes).toEqual([{ type: 'enqueue', status: 'rejected' }])
    const ticketId = keyedUuid('ticket')
    const shown = await refusing(done, (service) => {
      service.onRead('agent.queue.list', undefined)
      service.onSend = () => {
        service.tickets = [queuedTicket(ticketId)]
      }
    })
    expect(shown.journal.outcomes).toEqual([{ type: 'enqueue', status: 'accepted' }])
    expect([...shown.status().books.tickets.keys()]).toEqual([ticketId])
  })

  test('that is refused has its meaning in the recording', async () => {
    const bot = await refusing(() => rejected('TOO_POOR', 400, 'broke'))
    const inputs = bot.steps.flatMap(({ input }) => (input.type === 'outcome' ? [input] : []))
    expect(inputs.map((input) => recordedBody(input).body)).toMatchObject([
      { outcome: { refusal: { code: 'TOO_POOR', meaning: 'broke' } } },
    ])
  })
})
