import type { HeaderLine, OutputLine } from '../../recording/index.ts'
import { type Action, readAction } from '../../strategy/action.ts'
import type { BotConfig } from '../../strategy/config.ts'
import type { QueuePolicy, Strategy } from '../../strategy/define.ts'
import { fingerprintOf } from '../../strategy/fingerprint.ts'

/** An entry that the recorded bot made, or took back. */
interface RecordedEntry {
  /** Unix milliseconds at which the guard let it out. */
  readonly at: number
  readonly action: Action
}

/** What one recorded bot entered, and as what it played. */
export interface OwnEntries {
  /** The fingerprints of its runs, as JSON: one where it was the same in all of them. */
  readonly configs: ReadonlySet<string>
  readonly entries: readonly RecordedEntry[]
}

const ENTRIES: ReadonlySet<unknown> = new Set<Action['type']>(['enqueue', 'joinContest', 'createContest'])

/** How often the log is looked at for the next entry, in seconds. A ticket that comes a tenth of a second late still meets its opponent. */
const EVERY_SEC = 0.1

/** The entries of the bots of a log. Tickets are not taken back: one that was met nobody the recorded bot met. */
export class RecordedEntries {
  readonly #byBot = new Map<string, { configs: Set<string>; entries: RecordedEntry[] }>()
  #bot = ''

  onHeader({ bot, config }: HeaderLine): void {
    this.#bot = bot
    if (config !== null) this.#own().configs.add(JSON.stringify(config))
  }

  onOutput({ at, decisions }: OutputLine): void {
    for (const decision of decisions) {
      if (decision.type !== 'approved') continue
      const { action } = decision as { action: Readonly<Record<string, unknown>> }
      if (!ENTRIES.has(action.type)) continue
      // An amount is written as digits.
      const stake = typeof action.stake === 'string' ? { stake: BigInt(action.stake) } : {}
      this.#own().entries.push({ at, action: readAction({ ...action, ...stake }) })
    }
  }

  all(): ReadonlyMap<string, OwnEntries> {
    return this.#byBot
  }

  #own(): { configs: Set<string>; entries: RecordedEntry[] } {
    const own = this.#byBot.get(this.#bot) ?? { configs: new Set(), entries: [] }
    this.#byBot.set(this.#bot, own)
    return own
  }
}

/**
 * The bot of a recording as it is played on that recording, with nothing changed: what it entered live it enters again, at the times of
 * then. Its policy would draw other random numbers, and meet others. Undefined where the bot is another one, or has no policy.
 */
export function entersAsRecorded(bot: BotConfig, own: OwnEntries | undefined): BotConfig | undefined {
  if (own === undefined || own.configs.size !== 1 || !own.configs.has(JSON.stringify(fingerprintOf(bot)))) return undefined
  const [policy] = bot.strategies.filter((strategy) => strategy.kind === 'queue')
  if (policy === undefined || bot.strategies.some(({ kind }) => kind === 'custom')) return undefined
  return {
    ...bot,
    strategies: bot.strategies.flatMap((strategy): Strategy[] =>
      strategy.kind === 'queue' ? (strategy === policy ? [asRecorded(policy, own)] : []) : [strategy],
    ),
  }
}

function asRecorded(policy: QueuePolicy, { entries }: OwnEntries): QueuePolicy {
  let next = 0
  const decide: QueuePolicy['decide'] = ({ clock }) => {
    const due: Action[] = []
    for (let entry = entries[next]; entry !== undefined && entry.at <= clock.now(); entry = entries[next]) {
      // One of before the time that is played is nobody's any more.
      if (clock.now() - entry.at < LATEST_MS) due.push(entry.action)
      next += 1
    }
    return due
  }
  return { ...policy, everySec: EVERY_SEC, decide }
}

const LATEST_MS = 5000
