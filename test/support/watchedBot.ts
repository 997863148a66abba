import { Subject } from 'rxjs'
import { VirtualClock } from '../../src/core/clock.ts'
import type { CornermanError } from '../../src/core/error.ts'
import {
  type OtherHosts,
  type Phase,
  type Stopped,
  type StreamView,
  Watch,
  type WatchedBot,
  type WatchedFleet,
} from '../../src/dashboard/index.ts'
import type { BotStatus, Occurrence, Step } from '../../src/pipeline/index.ts'
import { START_MS } from './rawEvents.ts'
import { openTestBot, type TestBot, type TestBotOptions } from './testBot.ts'

/** A bot between scripted ports, and the desk it is watched from. What is not the pipeline's, the test says. */
export interface WatchedTestBot {
  readonly bot: TestBot
  readonly watch: Watch
  readonly fleet: WatchedFleet
  readonly occurrences: readonly Occurrence[]
  readonly says: {
    phase: Phase
    failure: CornermanError | undefined
    stream: StreamView
    stopped: Stopped
    readsLeft: number | undefined
    /** Instead of what the pipeline has. */
    status: Partial<BotStatus>
  }
}

export async function openWatchedBot(
  options: TestBotOptions & { readonly diedBefore?: readonly number[]; readonly others?: OtherHosts } = {},
): Promise<WatchedTestBot> {
  const clock = options.clock ?? new VirtualClock(START_MS)
  const says: WatchedTestBot['says'] = {
    phase: 'running',
    failure: undefined,
    stream: { state: 'current', readAt: clock.now(), startedAt: clock.now() },
    stopped: 'nothing',
    readsLeft: 290,
    status: {},
  }
  const change$ = new Subject<{ readonly bot: { readonly name: string }; readonly step?: Step }>()
  const occurrences: Occurrence[] = []
  let watch: Watch | undefined
  let fleet: WatchedFleet | undefined
  const name = options.name ?? 'alice'
  const bot = await openTestBot({
    ...options,
    clock,
    observer: {
      begins(status, book, config) {
        const watched: WatchedBot = {
          name,
          agentId: 'agent-1',
          config,
          get phase() {
            return says.phase
          },
          get failure() {
            return says.failure
          },
          status: () => ({ ...status(), ...says.status }),
          stream: () => says.stream,
          readsLeft: () => says.readsLeft,
        }
        fleet = { bots: [watched], change$, book }
        const { diedBefore = [], others } = options
        watch = new Watch({ fleet, clock, service: 'sandbox', isDryRun: false, stopped: () => says.stopped, diedBefore, others })
        watch.occurrence$.subscribe((occurrence) => occurrences.push(occurrence))
      },
      step: (step) => change$.next({ bot: { name }, step }),
    },
  })
  if (watch === undefined || fleet === undefined) throw new Error('the bot did not begin')
  return { bot, watch, fleet, occurrences, says }
}
