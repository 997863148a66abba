import type { Clock } from '../../../core/clock.ts'
import { STEP_MS } from '../../../core/clockOffset.ts'
import { type ClockDisagreement, ServiceClock } from '../../../live/index.ts'
import type { Logger } from '../../log.ts'

/** Rounded to 0.0 s. */
const LEAST_SAID_MS = 50

/** The service's time, which the bots go by. The log says when this machine's clock is another, and when the service disagrees with itself. */
export function serviceClock(base: Clock, log: Logger, machine: Clock = base): ServiceClock {
  let saidMs: number | undefined
  return new ServiceClock(base, {
    machine,
    onSkew: (skewMs) => {
      if (Math.abs(skewMs - (saidMs ?? 0)) <= STEP_MS) return
      log[Math.abs(skewMs) <= STEP_MS ? 'info' : 'warn'](skewText(skewMs, saidMs))
      saidMs = skewMs
    },
    onDisagreement: (disagreement) => log.warn(disagreement, disagreementText(disagreement)),
  })
}

function skewText(skewMs: number, saidMs: number | undefined): string {
  if (Math.abs(skewMs) <= STEP_MS) return "this machine's clock agrees with the service's again"
  const jumped = saidMs === undefined ? '' : `the clocks have moved by ${secondsOf(skewMs - saidMs)} s against each other: `
  return `${jumped}this machine's clock is ${secondsOf(skewMs)} s ${skewMs > 0 ? 'behind' : 'ahead of'} the service's: the bots go by the service's. Set this machine's clock`
}

const disagreementText = ({ headerMs, timesMs }: ClockDisagreement): string =>
  `the service names two times: by the Date header of its answers the time is ${offsetText(headerMs)}, by its events and tickets it is ${offsetText(timesMs)}. ` +
  `The bots go by its events and tickets. Ask the service's operator which clock is wrong`

const offsetText = (offsetMs: number): string =>
  Math.abs(offsetMs) < LEAST_SAID_MS
    ? "the same as by this machine's clock"
    : `${secondsOf(offsetMs)} s ${offsetMs < 0 ? 'behind' : 'ahead of'} this machine's clock`

const secondsOf = (ms: number): string => Math.abs(ms / 1000).toFixed(1)
