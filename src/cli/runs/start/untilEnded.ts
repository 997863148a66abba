import type { Observable } from 'rxjs'
import { messageOf } from '../../../core/error.ts'
import { steadyClock } from '../../../core/systemClock.ts'
import { blamedNow, traceErrors, unblamed } from '../../../pipeline/index.ts'
import { hungUpWithin } from '../../hangup.ts'
import type { Logger } from '../../log.ts'
import type { LogFile } from '../../logFile.ts'
import { hearUncaught } from '../../unfinished.ts'
import type { Fleet } from './fleet.ts'
import { leftOpenBy, leftOpenText } from './leftOpen.ts'
import type { Signal, Signals } from './signals.ts'

/** A drain that takes longer than this is given up: what is open is taken up by the next run. */
const DRAIN_MS = 120_000
/** Pause between checks whether npm, which should pass a SIGTERM on, has died of it instead. */
const NPM_CHECK_MS = 1000

/** Limits at which a run ends by itself. */
interface Ends {
  /** Milliseconds. */
  readonly for?: number
  readonly contests?: number
  /** Contests that were settled so far. */
  readonly settled$: Observable<number>
  readonly signals: Signals
  readonly file: Pick<LogFile, 'written'>
}

/** `stoppedAtOnce`: with things left open; `broken`: it drained because of an error nobody caught. */
export type Ended = 'drained' | 'stoppedAtOnce' | 'broken'

const openIn = ({ bots }: Fleet) =>
  bots.map((bot) => {
    const status = bot.status()
    return status === undefined ? undefined : leftOpenBy(status)
  })

/** Waits for the end of a run: drained, because it was told to or its time is up, or stopped at once. */
export async function untilEnded(fleet: Fleet, options: Ends, log: Logger): Promise<Ended> {
  let drainTimer: NodeJS.Timeout | undefined
  let isDraining = false
  let isInterrupted = false
  let isBroken = false
  let isStderrSaid = false
  const { promise: stopped, resolve: stop } = Promise.withResolvers<boolean>()
  const drain = (why: string) => {
    if (isDraining) return
    isDraining = true
    log.info(`${why}: draining`)
    drainTimer = setTimeout(() => {
      log.warn('not drained after 2 minutes: stopping; the next run takes up what is open')
      stop(false)
    }, DRAIN_MS)
    fleet.drain()
  }
  const onSignal = (signal: Signal) => {
    // Closing a terminal asks for the same as one Ctrl-C.
    if (signal === 'SIGHUP') drain('its terminal was closed')
    else if (isInterrupted) {
      log.warn(`interrupted again: stopping at once; left open, for the next run to take up: ${leftOpenText(openIn(fleet))}`)
      stop(true)
    } else {
      isInterrupted = true
      // It may drain of its own accord, when its time is up: whoever asks for that once more loses no stake by it.
      if (isDraining) log.info('interrupted while draining: once more stops at once')
      else drain('interrupted (once more stops at once)')
    }
  }
  // It leaves things undone that are not known: no new money is staked, and what is open is played to its end.
  const onBroken = (thrown: unknown) => {
    const blamed = blamedNow()
    if (blamed !== undefined) {
      log.warn({ err: thrown }, `an error that nobody caught: ${messageOf(thrown)}: the strategy that left it is left alone`)
      unblamed(() => blamed(thrown))
      return
    }
    isBroken = true
    log.error({ err: thrown }, `an error that nobody caught: ${messageOf(thrown)}`)
    drain('an error that nobody caught')
  }
  // The pipe has no reader, the disk is full, or the terminal is gone: each line fails again, those that would say so too.
  const onStderrBroken = (error: Error) => {
    const { written } = options.file
    if (written === undefined) {
      isBroken = true
      drain('the log cannot be written')
    } else if (!isStderrSaid) {
      isStderrSaid = true
      log.warn(`stderr cannot be written any more (${messageOf(error)}): the bots go on, and the log is in ${written}`)
    }
  }
  const stopWatchingNpm = watchNpm({ drain, log })
  const startedAt = steadyClock.now()
  const cancelFor = options.for === undefined ? () => {} : steadyClock.at(startedAt + options.for, () => drain('time is up'))
  const counting = options.settled$.subscribe((settled) => {
    if (options.contests !== undefined && settled >= options.contests) drain(`${settled} contests settled`)
  })
  traceErrors()
  const hearNoMore = hearUncaught(onBroken)
  process.stderr.on('error', onStderrBroken)
  options.signals.listen(onSignal)
  try {
    const isStoppedAtOnce = await Promise.race([stopped, fleet.ended().then(() => false)])
    return isStoppedAtOnce ? 'stoppedAtOnce' : isBroken ? 'broken' : 'drained'
  } finally {
    hearNoMore()
    process.stderr.off('error', onStderrBroken)
    stopWatchingNpm()
    cancelFor()
    clearTimeout(drainTimer)
    counting.unsubscribe()
    options.signals.close()
  }
}

/** npm ends at once at a SIGTERM, and at the SIGHUP of a window that closes. The first was meant for the bots, the second was ignored. */
function watchNpm({ drain, log }: { readonly drain: (why: string) => void; readonly log: Logger }): () => void {
  if (process.env.npm_lifecycle_event === undefined) return () => {}
  const npm = process.ppid
  let isMissed = false
  const timer = setInterval(() => {
    if (process.ppid === npm) return
    // The signal may reach this process a moment after npm has died of it.
    if (!isMissed) {
      isMissed = true
      return
    }
    clearInterval(timer)
    if (hungUpWithin(3 * NPM_CHECK_MS)) log.info('npm, which started this, has ended with its window: the bots go on without it')
    else drain('npm, which started this, has ended')
  }, NPM_CHECK_MS)
  return () => clearInterval(timer)
}
