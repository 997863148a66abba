import { DAY_MS, dayOf } from '../../core/day.ts'
import { SKEW_MS } from '../../core/skew.ts'

/** The day changes at most once in this much steady time, whatever a clock says. */
const LEAST_DAY_MS = 23 * 3_600_000

/** Record of the ledger's time in a journal. All in milliseconds; `machineMs` is a Unix time. */
export interface SteadyTimeFacts {
  readonly steadyMs: number
  readonly machineMs: number
  /** How far the service's clock was ahead of this machine's. */
  readonly skewMs: number
  /** Machine time at which the ledger began; steady time was 0 then. */
  readonly beganMs: number
  readonly day: number
  /** Steady time of the last midnight; undefined before the first. */
  readonly dayChangedMs?: number | undefined
}

/**
 * Time that no clock step moves: it advances with the inputs of the bot, less what the estimate of the service's clock moved. Over a restart it
 * advances by the smaller of what this machine's clock and the service's clock advanced.
 */
export class SteadyTime {
  #skewMs = 0
  /** Machine time less steady time. */
  #shiftMs = 0
  #machineMs = 0
  #steadyMs = 0
  #beganMs: number | undefined
  #day: number | undefined
  #dayChangedMs: number | undefined
  /** Set from a restart until the service's clock is known. */
  #stopped: (SteadyTimeFacts & { readonly startedMs: number }) | undefined

  get nowMs(): number {
    return this.#steadyMs
  }

  /** The UTC day that counts, from 1970. */
  get day(): number {
    return this.#day ?? 0
  }

  /** For some seconds after midnight the day before counts too. */
  get dayBefore(): number | undefined {
    return this.#machineMs < this.day * DAY_MS + SKEW_MS ? this.day - 1 : undefined
  }

  /** @param at time of an input, Unix milliseconds */
  move(at: number): void {
    this.#machineMs = at - this.#skewMs
    this.#steadyMs = Math.max(this.#steadyMs, this.#machineMs - this.#shiftMs)
    const day = dayOf(this.#machineMs)
    this.#day ??= day
    this.#beganMs ??= this.#machineMs - this.#steadyMs
    if (day <= this.#day || !this.#mayChangeDay(this.#day, this.#beganMs)) return
    this.#day = day
    this.#dayChangedMs = this.#steadyMs
  }

  #mayChangeDay(day: number, beganMs: number): boolean {
    if (this.#dayChangedMs !== undefined) return this.#steadyMs - this.#dayChangedMs >= LEAST_DAY_MS
    // The first midnight may come soon after the ledger began, but not by a clock that was set.
    return dayOf(beganMs + this.#steadyMs) > day
  }

  /** Steady time of an instant in this run, given in input time. */
  of(at: number): number {
    return at - this.#skewMs - this.#shiftMs
  }

  /** Input time of a steady time. */
  inputTimeOf(steadyMs: number): number {
    return steadyMs + this.#shiftMs + this.#skewMs
  }

  /** The estimate of the service's clock has moved, and with it the time of all later inputs. */
  skewed(skewMs: number): void {
    this.#skewMs = skewMs
  }

  restore(facts: SteadyTimeFacts, at: number): void {
    const machineMs = at - this.#skewMs
    this.#stopped = { ...facts, startedMs: machineMs }
    this.#machineMs = machineMs
    this.#steadyMs = facts.steadyMs
    this.#shiftMs = machineMs - facts.steadyMs
    this.#beganMs = facts.beganMs
    this.#day = facts.day
    this.#dayChangedMs = facts.dayChangedMs
  }

  /** The service has answered since the start: both clocks are known. */
  serviceKnown(at: number): void {
    const stopped = this.#stopped
    if (stopped === undefined) return
    this.#stopped = undefined
    const machine = stopped.startedMs - stopped.machineMs
    const service = machine + this.#skewMs - stopped.skewMs
    this.#shiftMs -= Math.max(0, Math.min(machine, service))
    this.move(at)
  }

  get facts(): SteadyTimeFacts {
    const changed = this.#dayChangedMs === undefined ? {} : { dayChangedMs: this.#dayChangedMs }
    const [steadyMs, machineMs, skewMs, beganMs = 0] = [this.#steadyMs, this.#machineMs, this.#skewMs, this.#beganMs]
    return { steadyMs, machineMs, skewMs, beganMs, day: this.day, ...changed }
  }
}
