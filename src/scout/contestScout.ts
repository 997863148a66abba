import type { Mode } from '../contract/modes.ts'
import type { ProcedureOutput, ReadName } from '../contract/procedures.ts'
import type { Contest } from '../contract/records.ts'
import { backoffMs } from '../core/backoff.ts'
import type { Clock } from '../core/clock.ts'
import { itemsOf, type ReadRequest, type ReadResult } from '../pipeline/index.ts'
import { ContestWatch, type WatchedRead } from './contestWatch.ts'
import { foundSentence, isOfUse, TELLING_CONTESTS } from './found.ts'
import { ListChanges } from './listChanges.ts'
import type { ScoutLog } from './scoutLog.ts'

/** How often each list is read. */
const EVERY_MS = { open: 5000, live: 10_000 } as const
const LONGEST_EVERY_MS = 60_000
const PAGE = 50
/** Of one list: one that is longer is not read to its end. */
const MOST_PAGES = 40
/** Contests that are read at a time. */
const AT_A_TIME = 4

/** All that a scout can do with a service. */
export interface ServiceReads {
  read<N extends ReadName>(request: ReadRequest<N>): Promise<ReadResult<N>>
}

export interface ContestScoutOptions {
  readonly service: ServiceReads
  readonly clock: Clock
  readonly log: ScoutLog
  /** Undefined: all. */
  readonly modes: readonly Mode[] | undefined
  readonly say: (level: 'info' | 'warn', message: string) => void
  /** The recording cannot be gone on with. */
  readonly onFailure: (thrown: unknown) => void
}

type Status = keyof typeof EVERY_MS

/** Reads the public contests of a service from their lists to their results, and records what it reads. */
export class ContestScout {
  readonly watch: ContestWatch
  readonly #options: ContestScoutOptions
  readonly #changes = { open: new ListChanges(), live: new ListChanges() }
  /** Reads of a list that failed in a row. */
  readonly #failures = { open: 0, live: 0 }
  readonly #timers = new Map<string, () => void>()
  #reads = 0
  #underWay = 0
  #hasSaidFound = false
  #isStopped = false

  constructor(options: ContestScoutOptions) {
    this.#options = options
    this.watch = new ContestWatch(options.clock.now())
  }

  /** That were answered or refused. */
  get reads(): number {
    return this.#reads
  }

  start(): void {
    void this.#list('open')
    void this.#list('live')
  }

  /** What is under way is not waited for, and not recorded. */
  stop(): void {
    this.#isStopped = true
    for (const cancel of this.#timers.values()) cancel()
  }

  async #list(status: Status): Promise<void> {
    const { clock } = this.#options
    const begunAt = clock.now()
    await this.#caught(() => this.#readList(status))
    this.#pump()
    const everyMs = backoffMs(this.#failures[status], EVERY_MS[status], LONGEST_EVERY_MS)
    this.#later(status, begunAt + everyMs, () => void this.#list(status))
  }

  async #readList(status: Status): Promise<void> {
    const { modes, clock } = this.#options
    const found: Contest[] = []
    this.#changes[status].begin()
    let cursor: string | number | null | undefined
    for (let page = 0; page < MOST_PAGES; page++) {
      const [more, filter] = [cursor === undefined ? {} : { cursor }, modes === undefined ? {} : { modes: [...modes] }]
      const request = { procedure: 'agent.contests.list', input: { status, limit: PAGE, ...filter, ...more } } as const
      const begunAt = clock.now()
      const result = await this.#options.service.read(request)
      if (this.#isStopped) return
      this.#note(status, result)
      if (!result.ok) return
      const { output } = result
      const wanted = itemsOf(output).filter(({ mode }) => modes === undefined || modes.some((one) => one === mode))
      found.push(...wanted)
      cursor = 'nextCursor' in output ? (output.nextCursor ?? null) : null
      const isLast = cursor === null
      const followed = this.watch.listed(status, isLast ? found : wanted, { now: clock.now(), isWhole: isLast })
      const shown = isLast ? followed.filter((contest) => wanted.includes(contest)) : followed
      const slim = { items: this.#changes[status].of(shown), nextCursor: cursor } as ProcedureOutput<'agent.contests.list'>
      this.#record({ ...request, purpose: `browse:${status}` }, { ok: true, output: slim }, begunAt)
      if (isLast) return
    }
  }

  /** The first failure of a row is said, and the end of it. */
  #note(status: Status, result: ReadResult): void {
    this.#reads += 1
    const { say } = this.#options
    const failures = this.#failures[status]
    if (result.ok && failures > 0) say('info', `the list of ${status} contests can be read again`)
    if (!result.ok && failures === 0) say('warn', `the list of ${status} contests cannot be read: ${result.reason}; trying again, slower`)
    this.#failures[status] = result.ok ? 0 : failures + 1
  }

  /** Begins the reads that are due. */
  #pump(): void {
    const { clock } = this.#options
    while (!this.#isStopped && this.#underWay < AT_A_TIME) {
      const read = this.watch.next(clock.now())
      if (read === undefined) break
      this.#underWay += 1
      void this.#caught(() => this.#readOne(read)).then(() => {
        this.#underWay -= 1
        this.#pump()
      })
    }
    const nextAt = this.watch.nextAt()
    // Where as many are under way as may be, the end of one looks on.
    if (nextAt !== undefined && this.#underWay < AT_A_TIME) this.#later('one', nextAt, () => this.#pump())
  }

  async #readOne(read: WatchedRead): Promise<void> {
    const { service, clock } = this.#options
    const { procedure, contestId } = read
    const { share } = this.watch
    const begunAt = clock.now()
    const input = { contestId }
    const result = await service.read({ procedure, input })
    if (this.#isStopped) return
    this.#reads += 1
    const purpose = procedure === 'agent.contests.get' ? (`contest:${contestId}` as const) : (`state:${contestId}` as const)
    if (result.ok) this.#record({ procedure, input, purpose, share }, result, begunAt)
    this.watch.answered(read, result, clock.now())
    this.#sayFound()
  }

  #sayFound(): void {
    const { found } = this.watch
    if (this.#hasSaidFound || found.settled < TELLING_CONTESTS) return
    this.#hasSaidFound = true
    this.#options.say(isOfUse(found) ? 'info' : 'warn', foundSentence(found))
  }

  #record(request: Parameters<ScoutLog['answer']>[0]['request'], result: ReadResult, begunAt: number): void {
    const { log, clock } = this.#options
    log.answer({ type: 'answer', request, begunAt, result }, clock.now())
  }

  async #caught(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (thrown) {
      if (!this.#isStopped) this.#options.onFailure(thrown)
    }
  }

  /** One timer of a name: a new one takes the place of the one before. */
  #later(name: string, at: number, task: () => void): void {
    this.#timers.get(name)?.()
    this.#timers.delete(name)
    if (!this.#isStopped) this.#timers.set(name, this.#options.clock.at(at, task))
  }
}
