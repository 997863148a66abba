import { formatUsdc, type Usdc } from '../../core/usdc.ts'
import { REFUSALS } from '../../guard/index.ts'
import type { Occurrence, Step } from '../../pipeline/index.ts'

const STOPS: ReadonlySet<string> = new Set(REFUSALS.filter(({ alerts }) => alerts).map(({ code }) => code))

/** Codes of the log that say that the word of the service cannot be relied on. */
const SERVICE_FAULTS: ReadonlySet<string> = new Set([
  'SETTLEMENT_CONTRADICTED',
  'SERVICE_RESTORED',
  'REFUSAL_CONTRADICTED',
  'ANSWER_INCOMPLETE',
  'CONTEST_UNNAMED',
  'EVENTS_EXPIRED',
  'LEAVE_REFUSED',
])

/**
 * What a step has in it that an owner may want to be told.
 *
 * @param diedBefore process ids of earlier runs that ended without a word
 */
export function occurrencesOf(bot: string, step: Step, diedBefore: readonly number[] = []): readonly Occurrence[] {
  const about = { at: step.input.at, bot }
  return [
    ...recovered(step, diedBefore),
    ...settled(step),
    ...missedReveals(step),
    ...unplayed(step),
    ...serviceFaults(step),
    ...guardStops(step),
  ].map((told) => ({
    ...about,
    ...told,
  }))
}

type Told = Omit<Occurrence, 'at' | 'bot'>

function* recovered({ input }: Step, diedBefore: readonly number[]): Iterable<Told> {
  if (input.type !== 'started' || diedBefore.length === 0) return
  const count = input.pending.length
  const left =
    count === 0
      ? 'it left no action without an outcome'
      : `${count === 1 ? 'one action it left' : `${count} actions it left`} without an outcome are looked up`
  yield { kind: 'recovered', severity: 'warn', message: `the run before ended without a word (process ${diedBefore.join(', ')}): ${left}` }
}

function* settled({ input, isHistory }: Step): Iterable<Told> {
  if (isHistory || input.type !== 'event' || input.recorded || !input.read.ok || input.read.event.type !== 'contest.settled') return
  const { contestId, mode, result, profit, stake } = input.read.event.data
  const message = `${mode}: ${result}, ${formatUsdc(profit)} USDC on a stake of ${formatUsdc(stake)}`
  yield { kind: 'settled', severity: 'info', message, contestId, mode, stake }
}

function* missedReveals({ record }: Step): Iterable<Told> {
  for (const { contestId, status } of record?.custody ?? []) {
    const message = `the prediction in contest ${contestId} was not shown in its time`
    if (status === 'missed') yield { kind: 'missedReveal', severity: 'alarm', message, contestId }
  }
}

function* unplayed({ notes }: Step): Iterable<Told> {
  for (const { fields, message } of notes) {
    if (fields.code !== 'UNPLAYED' && fields.code !== 'UNPLAYED_PART') continue
    const { contestId, mode, stake } = fields as Readonly<{ contestId: string; mode: string; stake: Usdc }>
    yield { kind: 'unplayed', about: contestId, severity: 'alarm', message, contestId, mode, stake }
  }
}

function* serviceFaults({ notes }: Step): Iterable<Told> {
  for (const { fields, message } of notes)
    if (typeof fields.code === 'string' && SERVICE_FAULTS.has(fields.code))
      yield { kind: 'serviceFault', about: fields.code, severity: 'alarm', message }
}

function* guardStops({ refused }: Step): Iterable<Told> {
  for (const { refusal } of refused)
    if (STOPS.has(refusal.code))
      yield { kind: 'guardStop', about: refusal.code, severity: 'warn', message: `${refusal.code}: ${refusal.message}` }
}
