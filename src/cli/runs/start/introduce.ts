import { isKeyRefused } from '../../../contract/refusals.ts'
import { backoffMs } from '../../../core/backoff.ts'
import type { Clock } from '../../../core/clock.ts'
import { CornermanError } from '../../../core/error.ts'
import { type HttpService, KeyRefusals } from '../../../live/index.ts'
import type { Logger } from '../../log.ts'

/** The journal may hold a prediction whose time to be shown is short: nothing is done before the service has answered. */
const LONGEST_WAIT_MS = 2000
const SAY_EVERY = 150

export interface IntroduceOptions {
  readonly service: Pick<HttpService, 'readAtStart'>
  readonly clock: Clock
  readonly log: Logger
  /** The bot's name. */
  readonly bot: string
  /** Where its key is from, and where the service is, for a message. */
  readonly keyFrom: string
  readonly serviceAt: string
  /** Whether to give up where the service has not answered: the bot is to drain. */
  readonly isOver: () => boolean
  /** The bot was stopped: gives up at once. */
  readonly signal: AbortSignal
}

export interface Introduced {
  /** The agent's id in the service's own words; undefined where it does not say. */
  readonly statedAgentId: string | undefined
  readonly agentId: string
}

/**
 * Asks the service who the agent is, again and again while it is down, or refuses the key less often than counts.
 *
 * @returns undefined when it was over before the service answered
 * @throws CornermanError `AGENT_KEY_REFUSED`
 */
export async function introduce(options: IntroduceOptions): Promise<Introduced | undefined> {
  const { service, clock, log, bot, keyFrom, serviceAt, isOver, signal } = options
  const keyRefusals = new KeyRefusals()
  // Once at least: what is open is played to its end by a run that drains from the first, too.
  for (let failures = 0; (failures === 0 || !isOver()) && !signal.aborted; failures++) {
    const me = await service.readAtStart({ procedure: 'agent.me', input: null })
    if (me.ok) {
      const statedAgentId = agentIdOf(me.output.agent)
      return { statedAgentId, agentId: statedAgentId ?? me.output.agent.handle ?? bot }
    }
    if (keyRefusals.isFinal(me.refusal)) {
      const message = `the service does not accept the agent key from ${keyFrom} (${me.reason}): check it, or have the owner issue a new one`
      throw new CornermanError('AGENT_KEY_REFUSED', message)
    }
    if (signal.aborted) return undefined
    const waitMs = backoffMs(failures, 500, LONGEST_WAIT_MS)
    // Of one that stays down, ever more seldom, and every five minutes.
    if (Number.isInteger(Math.log2(failures + 1)) || failures % SAY_EVERY === 0)
      log.warn(
        { bot },
        `${serviceAt} ${isKeyRefused(me.refusal) ? `refuses the agent key from ${keyFrom}` : 'does not answer'} (${me.reason}); trying again in ${waitMs / 1000} s`,
      )
    await wait(clock, waitMs, signal)
  }
  return undefined
}

/** @param signal ends the wait at once */
function wait(clock: Clock, waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = clock.at(clock.now() + waitMs, end)
    signal.addEventListener('abort', end)
  })
}

/** The id of the agent in `agent.me`, whose fields are not documented. */
function agentIdOf(agent: Readonly<Record<string, unknown>>): string | undefined {
  for (const field of ['agentId', 'id', 'userId']) {
    const value = agent[field]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}
