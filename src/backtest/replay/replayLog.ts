import { CornermanError, messageOf } from '../../core/error.ts'
import { plainJson } from '../../core/plainJson.ts'
import type { StrategyResult } from '../../pipeline/index.ts'
import { type HeaderLine, LogError, type LogLine, type OnProgress, scanLog } from '../../recording/index.ts'
import type { BotConfig } from '../../strategy/config.ts'
import { type Fingerprint, fingerprintOf } from '../../strategy/fingerprint.ts'
import { PATIENCE_MS } from '../run/patience.ts'
import type { Silence } from './lateAnswers.ts'
import { matchesOf, type ReplayedBot, type ReplayedEnd, ReplayedRun, type ReplayedStep, type Unanswered } from './replayedRun.ts'

/** Divergences that are kept: after the first one most that follow are its consequences. */
const MOST_KEPT = 100

/** Where a replay came to something else than the recording. */
export interface Divergence {
  /** The input's number; 0 where it is about the run as a whole. */
  readonly seq: number
  readonly at: number
  readonly recorded: unknown
  readonly replayed: unknown
  readonly input: unknown
}

export interface Replay {
  readonly bot: string
  readonly runs: number
  /** Runs that the log has no beginning of: what they rested on is not known, and none of their decisions is replayed. */
  readonly partial: { readonly runs: number; readonly decisions: number }
  readonly inputs: number
  /** Recorded decisions: actions with their verdicts, what was sent, and what became of it. */
  readonly decisions: number
  readonly matched: number
  /** The first hundred. */
  readonly diverged: readonly Divergence[]
  /** All of them. */
  readonly divergences: number
  /** What is wrong with the log itself: what follows an altered line is replayed as it stands. */
  readonly damage: readonly string[]
  /** Strategies whose code is not what was recorded: no divergence by itself. */
  readonly changedCode: readonly string[]
  /** Strategies that were waited for in vain, once: from there on the recording speaks for them where they say nothing. */
  readonly silent: readonly string[]
}

export interface ReplayOptions extends Omit<ReplayedBot, 'config' | 'silent'> {
  readonly log: string
  readonly bots: readonly BotConfig[]
  readonly onProgress?: OnProgress
}

/**
 * Runs a recording through the same strategies again, and compares every decision with the recorded one.
 *
 * @throws LogError where the log cannot be read on; a line that was altered is a divergence, and what follows it is replayed
 * @throws CornermanError `LOG_BOT_UNKNOWN` where the config has no such bot, `LOG_NOT_RECORDED` for a log that no bot wrote
 */
export async function replayLog({ log, bots, onProgress, ...world }: ReplayOptions): Promise<Replay> {
  const silent = new Set<string>()
  const verdict = new Verdict(silent)
  let run: ReplayedRun | undefined
  let header: HeaderLine | undefined
  /** Whether the run is there from its beginning; undefined until that is known. */
  let isWhole: boolean | undefined
  for (const { line, problem, isTorn } of scanLog(log, { onProgress })) {
    if (isTorn) continue
    if (problem !== undefined && (problem.code !== 'LOG_ALTERED' || line === undefined)) throw new LogError(problem)
    if (problem !== undefined) verdict.onDamage(problem.message, line)
    if (line === undefined) continue
    if (line.kind === 'contest')
      throw new CornermanError('LOG_NOT_RECORDED', `${log} was made from prices: there are no decisions in it to replay`)
    if (line.kind === 'header') {
      if (line.run === header?.run) run?.onHeader(line)
      else {
        verdict.onEnd(await run?.end())
        const config = botOf(line, bots, log)
        verdict.onRun(line, fingerprintOf(config))
        run = new ReplayedRun({ ...world, config, silent }, line)
        isWhole = undefined
      }
      header = line
      continue
    }
    isWhole ??= beginsWith(line)
    if (isWhole === false) {
      if (run !== undefined) verdict.onPartial()
      run = undefined
      if (line.kind === 'output') verdict.onUnknown(line.decisions.length)
    }
    const step = await run?.onLine(line)
    if (step !== undefined) verdict.onStep(step)
  }
  verdict.onEnd(await run?.end())
  return verdict.replay(header?.bot ?? '')
}

/** What may come before a run has begun: what the operator had said by then, and what was known of tokens. */
const BEFORE_START: ReadonlySet<string> = new Set(['operator', 'mode', 'tokens'])

/** Every run begins with what its journal held, and with what had been said before it. Undefined of a line that says neither. */
function beginsWith(line: LogLine): boolean | undefined {
  if (line.kind === 'input') return BEFORE_START.has(line.type) ? undefined : line.type === 'started'
  return line.kind === 'prices' && line.n !== undefined ? false : undefined
}

function botOf({ bot, source, config }: HeaderLine, bots: readonly BotConfig[], log: string): BotConfig {
  if (source !== 'live') throw new CornermanError('LOG_NOT_RECORDED', `${log} was made from prices: there are no decisions in it to replay`)
  const found = bots.find(({ name }) => name === bot)
  if (found !== undefined) return found
  if (bot === 'scout' && config === null)
    throw new CornermanError('LOG_NOT_RECORDED', `${log} was recorded by a scout, which decides nothing: there is nothing in it to replay`)
  const known = bots.map(({ name }) => name).join(', ')
  throw new CornermanError('LOG_BOT_UNKNOWN', `${log} is of bot ${bot}, and the config has ${known}: name the config it was recorded with`)
}

/** Counts what agrees, and keeps what does not. */
class Verdict {
  readonly #diverged: Divergence[] = []
  readonly #changedCode = new Set<string>()
  readonly #silent: ReadonlySet<string>
  readonly #damage: string[] = []
  #runs = 0
  readonly #partial = { runs: 0, decisions: 0 }
  #inputs = 0
  #decisions = 0
  #matched = 0
  #divergences = 0

  constructor(silent: ReadonlySet<string>) {
    this.#silent = silent
  }

  onRun({ at, config }: HeaderLine, now: Fingerprint): void {
    this.#runs += 1
    if (config === null) return
    if (config.config !== now.config) {
      const input = 'the config of the bot is not the one it was recorded with'
      this.onDivergence({ seq: 0, at, recorded: paramsOf(config), replayed: paramsOf(now), input })
    }
    for (const { name, code } of config.strategies) {
      const strategy = now.strategies.find((other) => other.name === name)
      if (strategy !== undefined && strategy.code !== code) this.#changedCode.add(name)
    }
  }

  onPartial(): void {
    this.#partial.runs += 1
  }

  onUnknown(decisions: number): void {
    this.#partial.decisions += decisions
  }

  onStep(step: ReplayedStep): void {
    this.#inputs += 1
    const { seq, at, input, recorded, replayed, unanswered } = step
    const matched = matchesOf(step)
    this.#decisions += recorded.length
    this.#matched += matched
    if (unanswered !== undefined) this.#onUnanswered(step, unanswered)
    else if (matched < recorded.length || recorded.length !== replayed.length) this.onDivergence({ seq, at, recorded, replayed, input })
  }

  onEnd(end: ReplayedEnd | undefined): void {
    if (end === undefined) return
    const { last, unrecorded } = end
    if (last?.unanswered !== undefined) this.#onUnanswered(last, last.unanswered)
    for (const { strategy, callId, result, after } of unrecorded)
      this.onDivergence({
        ...after,
        recorded: 'nothing: the recording has nothing more of the strategy here',
        replayed: { strategy, callId, ...wordsOf(result) },
      })
  }

  onDamage(message: string, line: unknown): void {
    this.#damage.push(message)
    this.onDivergence({ seq: 0, at: 0, recorded: null, replayed: message, input: line })
  }

  /** In its place: what the recording does not have is known only at the end of its run. */
  onDivergence(divergence: Divergence): void {
    this.#divergences += 1
    const before = this.#diverged.findLastIndex(({ seq }) => seq <= divergence.seq)
    this.#diverged.splice(divergence.seq === 0 ? this.#diverged.length : before + 1, 0, divergence)
    if (this.#diverged.length > MOST_KEPT) this.#diverged.pop()
  }

  #onUnanswered({ seq, at, input }: ReplayedStep, { strategy, recorded, why }: Unanswered): void {
    this.onDivergence({ seq, at, recorded: { strategy, ...wordsOf(recorded) }, replayed: `nothing: ${WHY_NOTHING[why]}`, input })
  }

  replay(bot: string): Replay {
    return {
      bot,
      runs: this.#runs,
      partial: this.#partial,
      inputs: this.#inputs,
      decisions: this.#decisions,
      matched: this.#matched,
      diverged: this.#diverged,
      divergences: this.#divergences,
      damage: this.#damage,
      changedCode: [...this.#changedCode],
      silent: [...this.#silent],
    }
  }
}

const WHY_NOTHING: Readonly<Record<Silence, string>> = {
  waited: `the strategy did not say anything within ${PATIENCE_MS / 1000} s, and is not waited for again`,
  notWaited: 'the strategy has not said anything, and is not waited for any more',
  notAsked: 'the strategy promised no answer here',
}

const wordsOf = (result: StrategyResult) => (result.ok ? { said: plainJson(result.value) } : { threw: messageOf(result.thrown) })

const paramsOf = ({ config, strategies }: Fingerprint) => ({ config, strategies: strategies.map(({ name, params }) => ({ name, params })) })
