import { CornermanError } from '../../core/error.ts'
import { plainJson } from '../../core/plainJson.ts'
import { keyedRandom } from '../../core/random.ts'
import { readOnly } from '../../core/readOnly.ts'
import type { PriceBook } from '../../pipeline/prices/priceBook.ts'
import { StrategyPrices } from '../../pipeline/prices/strategyPrices.ts'
// Not by the pipeline's door: such a process has no use for the guard, nor memory for what it needs.
import type { Note } from '../../pipeline/protocol/note.ts'
import type { Moment } from '../../pipeline/protocol/ports.ts'
import { ask } from '../../pipeline/strategies/question.ts'
import { writeFault } from '../../pipeline/strategies/writes.ts'
import type { Strategy, StrategyContext, StrategyLog } from '../../strategy/define.ts'
import { Allowance } from './allowance.ts'
import { HostedStream } from './hostedStream.ts'
import type { Said, Task } from './messages.ts'
import { packed } from './pack.ts'

/** Between two tasks: log lines that are written, the rest is counted; emissions, of which more are a fault. */
const MOST_LINES = 100
const MOST_EMISSIONS = 1000
const MOST_FIELDS = 4000

export interface StrategyRunnerOptions {
  readonly strategy: Strategy
  readonly seed: number
  /** Of the process: its strategies share the prices, which are not theirs to change. */
  readonly book: PriceBook
  readonly say: (said: Said) => void
}

/** In its process: one strategy, and the observables it runs. */
export class StrategyRunner {
  readonly #options: StrategyRunnerOptions
  readonly #prices: StrategyPrices
  readonly #streams = new Map<number, HostedStream>()
  readonly #lines = new Allowance(MOST_LINES)
  readonly #emissions = new Allowance(MOST_EMISSIONS)
  #moment: Moment = { n: 0, at: 0, tick: 0 }

  constructor(options: StrategyRunnerOptions) {
    this.#options = options
    this.#prices = new StrategyPrices(options.book)
  }

  take(task: Task, moment: Moment): void {
    const missed = this.#lines.renew()
    this.#emissions.renew()
    if (missed > 0) this.log('warn', `${missed} more lines of its log were left out`)
    this.#moment = moment
    this.#do(task)
    for (const stream of this.#streams.values()) stream.tellWake()
  }

  stop(): void {
    for (const stream of this.#streams.values()) stream.stop()
    this.#streams.clear()
  }

  log(level: Note['level'], message: string, fields: Note['fields'] = {}): void {
    if (!this.#lines.take()) return
    const { name } = this.#options.strategy
    const note = { level, message: String(message).slice(0, MOST_FIELDS), fields: { ...plainFields(fields), strategy: name } }
    this.#options.say({ type: 'log', note })
  }

  #do(task: Task): void {
    switch (task.type) {
      case 'ask':
        void this.#ask(task)
        return
      case 'open':
        this.#open(task)
        return
      case 'feed':
        this.#streams.get(task.id)?.feed(task.feed, task.world)
        return
      case 'close':
        this.#streams.get(task.id)?.stop()
        this.#streams.delete(task.id)
        return
      case 'tick':
        this.#prices.emit(this.#moment.tick)
        return
      case 'past':
      case 'ping':
        return
    }
  }

  async #ask({ id, shown }: Extract<Task, { type: 'ask' }>): Promise<void> {
    const { say } = this.#options
    try {
      // Whatever the strategy returns, and where it throws at once, is its answer.
      const value = await new Promise<unknown>((resolve) => resolve(this.#answerTo(shown)))
      say({ type: 'answer', id, result: packed({ ok: true, value }) })
    } catch (thrown) {
      say({ type: 'answer', id, result: packed({ ok: false, thrown: writeFault(thrown, () => shown) }) })
    }
  }

  #answerTo(shown: object): unknown {
    const { strategy, seed } = this.#options
    const { n, at, tick } = this.#moment
    const { params, name } = strategy
    const random = keyedRandom(seed, name, n)
    const tools: StrategyContext<unknown> = {
      ...{ params, random, log: this.#log, clock: { now: () => at }, prices: this.#prices.asOf(tick, at) },
    }
    // These are opened, not asked.
    if (strategy.kind === 'trade' || strategy.kind === 'custom') return undefined
    // What is shown is what the bot's own thread would have shown the strategy of this kind.
    return ask(strategy, { ...readOnly(shown), ...tools })
  }

  #open({ id, shown, world }: Extract<Task, { type: 'open' }>): void {
    const { strategy, seed, say } = this.#options
    const stream = new HostedStream({
      ...{ strategy, seed, shown, world, book: this.#options.book, log: this.#log },
      moment: () => this.#moment,
      onEmission: (result) => {
        if (this.#emissions.take()) say({ type: 'emission', id, result: packed(result) })
        else if (this.#streams.delete(id)) {
          stream.stop()
          const thrown = new CornermanError('STRATEGY_FLOODS', `it emitted more than ${MOST_EMISSIONS} values at once`)
          say({ type: 'emission', id, result: packed({ ok: false, thrown }) })
        }
      },
      onWake: (at) => say({ type: 'wake', id, at }),
    })
    this.#streams.set(id, stream)
    stream.start()
  }

  readonly #log: StrategyLog = {
    debug: (message, fields) => this.log('debug', message, fields),
    info: (message, fields) => this.log('info', message, fields),
    warn: (message, fields) => this.log('warn', message, fields),
  }
}

/** What a strategy logs is anything; what crosses is plain and short. */
function plainFields(fields: Note['fields']): Note['fields'] {
  try {
    const plain = plainJson(fields) as Note['fields']
    return JSON.stringify(plain).length > MOST_FIELDS ? { left: 'out: too long' } : plain
  } catch {
    return { left: 'out: not plain data' }
  }
}
