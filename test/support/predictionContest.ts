import { VirtualClock } from '../../src/core/clock.ts'
import { keyedUuid } from '../../src/core/ids.ts'
import type { Outcome } from '../../src/pipeline/protocol/outcome.ts'
import type { Strategy } from '../../src/strategy/define.ts'
import { type RawEvent, rawEvent, START_MS } from './rawEvents.ts'
import { accepted, rejected, type ScriptedService } from './scriptedService.ts'
import { openTestBot, type TestBot, type TestBotOptions } from './testBot.ts'
import { predictor } from './testStrategies.ts'

// A live price_prediction of the scripted service: commit for 5 s, play for 15 s, reveal for 20 s.

export const predictionId = keyedUuid('prediction contest')
export const entryId = keyedUuid('prediction entry')
export const TOKEN = 'So11111111111111111111111111111111111111112'
const STARTS_MS = START_MS + 5000
export const ENDS_MS = START_MS + 20_000
const REVEAL_BY_MS = START_MS + 40_000

const iso = (ms: number) => new Date(ms).toISOString()

/** What the stream says of it until it is live. */
export const predictionEvents = (): RawEvent[] => [
  rawEvent('match.found', { ticketId: keyedUuid('prediction ticket'), contestId: predictionId, mode: 'price_prediction' }),
  rawEvent('contest.live', { contestId: predictionId, mode: 'price_prediction', startsAt: iso(STARTS_MS), endsAt: iso(ENDS_MS) }),
]

export const predictionSettled = (result = 'WIN'): RawEvent =>
  rawEvent(
    'contest.settled',
    { contestId: predictionId, mode: 'price_prediction', result, ...(result === 'LOSS' ? { payout: '0', profit: '-1000000' } : {}) },
    ENDS_MS + 1000,
  )

/** Puts its state on the shelf. */
export function shelvePrediction(service: ScriptedService, shown: Readonly<Record<string, unknown>> = {}): void {
  service.states.set(predictionId, {
    contestId: predictionId,
    mode: 'price_prediction',
    phase: 'commit',
    entryId,
    token: TOKEN,
    commitBy: iso(STARTS_MS),
    revealFrom: iso(ENDS_MS),
    revealBy: iso(REVEAL_BY_MS),
    committed: false,
    revealed: false,
    ...shown,
  })
}

/** Lets it be played: commitments and reveals are taken and shown as the rules have it. */
export function servePrediction(service: ScriptedService, now: () => number): void {
  shelvePrediction(service)
  service.onAct('agent.modes.commitPrediction', () => {
    if (now() >= STARTS_MS) return rejected('COMMIT_CLOSED')
    shelvePrediction(service, { committed: true })
    return accepted()
  })
  service.onAct('agent.modes.revealPrediction', () => {
    if (now() < ENDS_MS) return rejected('REVEAL_NOT_OPEN')
    shelvePrediction(service, { phase: 'reveal', committed: true, revealed: true })
    return accepted()
  })
}

/** Says this price whenever it is asked. */
export const alwaysSays = (price: string): Strategy => predictor(() => ({ price }))

/** A bot in a live prediction, which the scripted service plays by the rules, but for what `adapt` changes. */
export async function openPrediction(options: TestBotOptions = {}, adapt: (service: ScriptedService) => void = () => {}): Promise<TestBot> {
  const clock = options.clock ?? new VirtualClock(START_MS)
  const bot = await openTestBot({ strategies: [alwaysSays('187.25')], ...options, clock })
  servePrediction(bot.service, () => clock.now())
  adapt(bot.service)
  await bot.tell(...predictionEvents())
  return bot
}

/** As `openPrediction`, where the first commitment comes to what `first` says, and any later one is taken. */
export const openCommitting = (first: (service: ScriptedService) => Outcome | Promise<Outcome>): Promise<TestBot> =>
  openPrediction({}, (service) =>
    service.onAct('agent.modes.commitPrediction', () => {
      if (service.sent('agent.modes.commitPrediction').length === 1) return first(service)
      shelvePrediction(service, { committed: true })
      return accepted()
    }),
  )

export const revealsOf = ({ service }: TestBot) => service.sent('agent.modes.revealPrediction')
