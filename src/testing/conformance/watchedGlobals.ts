import { AsyncLocalStorage } from 'node:async_hooks'
import nodeCrypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import nodeTimers from 'node:timers'
import timerPromises from 'node:timers/promises'
import type { Random } from '../../core/random.ts'

/** While a strategy is called: what it is given in place of time and chance of the system, and who is told that it took them. */
export interface WatchedCall {
  now(): number
  readonly random: Random
  onUse(rule: 'wall-clock' | 'own-randomness', what: string): void
}

const current = new AsyncLocalStorage<WatchedCall>()

/** Runs a strategy's code: what it does now and what it goes on with after an `await`. */
export const watched = <T>(call: WatchedCall, work: () => T): T => current.run(call, work)
/** Runs what is not the strategy's in the middle of that. */
export const unwatched = <T>(work: () => T): T => current.exit(work)

/** CPU time of this thread, in milliseconds: what other processes and threads do is not in it. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

let watchers = 0
let restores: (() => void)[] = []

/**
 * Puts a watch on the system's clock, timers and randomness. Outside of `watched` everything is as ever; a strategy gets
 * virtual time and seeded numbers, so that what it does is the same in every run.
 *
 * @returns takes it off again, once all who put it on have
 */
export function watchGlobals(): () => void {
  if (watchers++ === 0) {
    restores = [...watchTime(), ...watchTimers(), ...watchChance()]
    syncBuiltinESMExports()
  }
  return () => {
    if (--watchers > 0) return
    for (const restore of restores) restore()
    restores = []
    syncBuiltinESMExports()
  }
}

function watchTime(): (() => void)[] {
  const timeOr = <T>(what: string, otherwise: () => T, make: (now: number) => T): T => {
    const call = current.getStore()
    if (call === undefined) return otherwise()
    call.onUse('wall-clock', what)
    return make(call.now())
  }
  const SystemDate = Date
  const watchedDate = new Proxy(SystemDate, {
    construct: (target, args, newTarget) =>
      args.length > 0
        ? Reflect.construct(target, args, newTarget)
        : timeOr(
            'new Date()',
            () => Reflect.construct(target, [], newTarget),
            (now) => new SystemDate(now),
          ),
    apply: (target) =>
      timeOr(
        'Date()',
        () => target(),
        (now) => new SystemDate(now).toString(),
      ),
    get: (target, key) =>
      key === 'now' ? () => timeOr('Date.now()', SystemDate.now, (now) => now) : (Reflect.get(target, key) as unknown),
  })
  const { performance } = globalThis
  const sincePageLoad = performance.now.bind(performance)
  return [
    replace(globalThis, 'Date', watchedDate),
    replace(performance, 'now', () => timeOr('performance.now()', sincePageLoad, (now) => now)),
    replace(
      process,
      'hrtime',
      Object.assign(told('process.hrtime()', process.hrtime), { bigint: told('process.hrtime.bigint()', process.hrtime.bigint) }),
    ),
    replace(process, 'uptime', told('process.uptime()', process.uptime)),
  ]
}

/** Those of the system stay what they are: a strategy that waits for one is told of, and waits. */
function watchTimers(): (() => void)[] {
  const names = ['setTimeout', 'setInterval', 'setImmediate'] as const
  const watchIn = (owner: Readonly<Record<(typeof names)[number], (...args: never[]) => unknown>>, of: string) =>
    names.map((name) => replace(owner, name, Object.assign(told(`${name}()${of}`, owner[name]), owner[name])))
  return [
    ...watchIn(globalThis, ''),
    ...watchIn(nodeTimers, ' of node:timers'),
    ...watchIn(timerPromises, ' of node:timers/promises'),
    replace(timerPromises.scheduler, 'wait', told('scheduler.wait()', timerPromises.scheduler.wait.bind(timerPromises.scheduler))),
  ]
}

function told<A extends never[], T>(what: string, original: (...args: A) => T): (...args: A) => T {
  return (...args) => {
    const call = current.getStore()
    // RxJS reports what a subscriber throws by a timer of its own.
    if (call !== undefined && !isOfRxjs()) call.onUse('wall-clock', what)
    return original(...args)
  }
}

function watchChance(): (() => void)[] {
  const seeded =
    <A extends unknown[], T>(what: string, original: (...args: A) => T, draw?: (random: Random, ...args: A) => T) =>
    (...args: A): T => {
      const call = current.getStore()
      call?.onUse('own-randomness', what)
      return call === undefined || draw === undefined ? original(...args) : draw(call.random, ...args)
    }
  const { crypto } = globalThis
  const drawn = ['getRandomValues', 'randomUUID'] as const
  const built = ['randomBytes', 'randomInt', 'randomUUID', 'randomFillSync'] as const
  return [
    replace(
      Math,
      'random',
      seeded('Math.random()', Math.random, (random) => random.next()),
    ),
    ...drawn.map((name) => replace(crypto, name, seeded(`crypto.${name}()`, (crypto[name] as (...args: never[]) => unknown).bind(crypto)))),
    ...built.map((name) =>
      replace(nodeCrypto, name, seeded(`${name}() of node:crypto`, nodeCrypto[name] as (...args: never[]) => unknown)),
    ),
  ]
}

const isOfRxjs = (): boolean => new Error('where').stack?.includes('reportUnhandledError') === true

function replace(owner: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, name)
  Object.defineProperty(owner, name, { configurable: true, enumerable: before?.enumerable ?? true, writable: true, value })
  return () => {
    if (before === undefined) Reflect.deleteProperty(owner, name)
    else Object.defineProperty(owner, name, before)
  }
}
