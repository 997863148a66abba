import { formatUsdc, type Usdc } from '../../core/usdc.ts'
import { clockGapText, pauseText } from '../../pipeline/index.ts'
import { SEVERITIES, type Severity } from '../../strategy/alertConfig.ts'
import { playTroubles } from './playTroubles.ts'
import type { TroubleFacts } from './troubleFacts.ts'
import type { Trouble } from './views.ts'

/** What is not known for longer than this is worth a word. */
const UNKNOWN_MS = 60_000
/** Of a daily cap, in percent. */
const NEAR_CAP_PERCENT = 80n

const PAUSE_SHOWN_MS = 10 * 60_000

/** The worst first. */
const ORDER = SEVERITIES.toReversed()

export const worstOf = (troubles: readonly Trouble[]): Severity | undefined =>
  ORDER.find((severity) => troubles.some((trouble) => trouble.severity === severity))

/** What is wrong with a bot now, the worst first. */
export function troublesOf(facts: TroubleFacts): readonly Trouble[] {
  const found = [
    ...botStopped(facts),
    ...(facts.bot.phase === 'starting' || facts.bot.phase === 'running'
      ? [
          ...streamLate(facts),
          ...incomplete(facts),
          ...overdue(facts),
          ...suspended(facts),
          ...dailyLoss(facts),
          ...moneyMissing(facts),
          ...clocksDisagree(facts),
          ...paused(facts),
          ...unknown(facts),
          ...playTroubles(facts),
        ]
      : []),
    ...stopped(facts),
  ]
  return found.toSorted((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity))
}

function* botStopped({ bot: { failure } }: TroubleFacts): Iterable<Trouble> {
  if (failure !== undefined) yield { kind: 'botStopped', severity: 'alarm', message: `stopped: ${failure.message}` }
}

function* streamLate({ stream: { state, readAt, startedAt }, now }: TroubleFacts): Iterable<Trouble> {
  if (state === 'current') return
  const seconds = Math.round((now - (readAt ?? startedAt)) / 1000)
  const since = readAt === undefined ? `since the start ${seconds} s ago` : `for ${seconds} s`
  const severity = state === 'stalled' ? 'alarm' : 'warn'
  yield { kind: 'streamLate', severity, message: `no event has been read ${since}: no strategy is asked until the service answers again` }
}

function* incomplete({ status }: TroubleFacts): Iterable<Trouble> {
  for (const { procedure, field } of status?.incompleteAnswers ?? [])
    yield {
      kind: 'answerIncomplete',
      about: procedure,
      severity: 'alarm',
      message: `the service answers ${procedure} without ${field}: look at it with cornerman call ${procedure}, and ask the service what it has changed`,
    }
}

function* overdue({ status }: TroubleFacts): Iterable<Trouble> {
  for (const { contestId, reason } of status?.overdueReveals ?? [])
    yield {
      kind: 'revealOverdue',
      about: contestId,
      severity: 'alarm',
      message: `the reveal in contest ${contestId} did not work yet (${reason}): it is tried until its time is over`,
    }
}

function* suspended({ status }: TroubleFacts): Iterable<Trouble> {
  for (const { strategy, contestId } of status?.suspended ?? []) {
    const where = contestId === undefined ? 'for a minute' : `in contest ${contestId}`
    yield {
      kind: 'strategySuspended',
      about: strategy,
      severity: 'alarm',
      message: `strategy ${strategy} failed three times and is left alone ${where}: its log says why`,
    }
  }
}

function* dailyLoss({ bot, status, today, todayUnknownSince, now }: TroubleFacts): Iterable<Trouble> {
  if (todayUnknownSince !== undefined && now - todayUnknownSince >= UNKNOWN_MS) {
    const why = 'a token that is held has no fresh price, or a stake was not read'
    yield {
      kind: 'dailyLoss',
      about: 'unknown',
      severity: 'warn',
      message: `what is lost today has not been known for a minute (${why}): nothing is entered until it is`,
    }
    return
  }
  if (status === undefined || today === undefined) return
  const { lost, inPlay, reserved } = today
  const near = (what: Usdc, cap: Usdc) => what * 100n >= cap * NEAR_CAP_PERCENT
  const own = lost + inPlay + reserved
  const ownCap = bot.config.guard.dailyLoss
  const limits = status.books.limits?.value
  // What is at stake alone may be near a small cap all day: only with a loss is that worth a word.
  if (lost > 0n && near(own, ownCap))
    yield {
      kind: 'dailyLoss',
      about: 'own',
      severity: 'warn',
      message: `${used(own, ownCap)} of guard.dailyLoss are lost or at stake today`,
    }
  if (limits !== undefined && limits.lostToday > 0n && near(limits.lostToday + inPlay, limits.dailyLossCap))
    yield {
      kind: 'dailyLoss',
      about: 'service',
      severity: 'warn',
      message: `${used(limits.lostToday + inPlay, limits.dailyLossCap)} of the service's daily loss cap are lost or at stake today`,
    }
}

function* paused({ status, now }: TroubleFacts): Iterable<Trouble> {
  const pause = status?.lastPause
  if (pause === undefined || now - pause.until > PAUSE_SHOWN_MS) return
  yield {
    kind: 'paused',
    severity: 'warn',
    message: `${pauseText(pause)}: moves that were due meanwhile came late`,
  }
}

function* clocksDisagree({ status }: TroubleFacts): Iterable<Trouble> {
  if (status !== undefined && status.clockGapMs !== 0)
    yield { kind: 'clocksDisagree', severity: 'alarm', message: clockGapText(status.clockGapMs) }
}

function* moneyMissing({ status }: TroubleFacts): Iterable<Trouble> {
  for (const { where, message } of status?.missingMoney ?? []) yield { kind: 'moneyMissing', about: where, severity: 'alarm', message }
}

const used = (what: Usdc, cap: Usdc): string => `${formatUsdc(what)} of ${formatUsdc(cap)} USDC`

/** Says how to end an entry that the service never ends. */
function closeText(status: TroubleFacts['status'], { config }: TroubleFacts['bot']): string {
  const [key] = status?.actions.unknownKeys ?? []
  return key === undefined ? '' : `. Its stake counts. To count it as lost: cornerman order close-entry ${key} --bot ${config.name}`
}

function* unknown({ bot, status, unknownSince, now }: TroubleFacts): Iterable<Trouble> {
  const count = status?.actions.unknown ?? 0
  if (count === 0 || unknownSince === undefined || now - unknownSince < UNKNOWN_MS) return
  yield {
    kind: 'unknownActions',
    severity: 'warn',
    message: `${count === 1 ? 'an answer was' : `${count} answers were`} lost, and what became of ${count === 1 ? 'it' : 'them'} has not been found for a minute${closeText(status, bot)}`,
  }
}

function* stopped({ stopped: what }: TroubleFacts): Iterable<Trouble> {
  if (what === 'all')
    yield { kind: 'stopped', severity: 'alarm', message: 'the kill switch is set: no entries and no swaps until you resume' }
  if (what === 'entries') yield { kind: 'stopped', severity: 'info', message: 'entries are stopped: what is open is played to its end' }
}
