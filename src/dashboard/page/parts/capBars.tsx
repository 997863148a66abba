import type { Micro, Today } from '../../watch/views.ts'
import { usdcNumber, usdcText } from '../format/usdcText.ts'
import { pure } from './pure.tsx'

interface CapBarProps {
  readonly name: string
  readonly lost: Micro
  readonly atStake: bigint
  readonly cap: Micro
}

/** From this share of a cap on a bar warns. */
const WARNED_FROM = 0.8

/** What of a cap is lost, and what more would be if all that is at stake were. */
function CapBar({ name, lost, atStake, cap }: CapBarProps) {
  const whole = usdcNumber(cap)
  const shareOf = (part: number) => (whole === 0 ? 0 : Math.min(1, part / whole))
  const lostShare = shareOf(usdcNumber(lost))
  const share = shareOf(usdcNumber((BigInt(lost) + atStake).toString()))
  const tone = share >= 1 ? 'alarm' : share >= WARNED_FROM ? 'warn' : 'calm'
  const words = `${usdcText(lost)} lost and ${usdcText(atStake.toString())} at stake of ${usdcText(cap)}`
  return (
    <div class={`cap ${tone}`}>
      <span class="name">{name}</span>
      <div
        class="bar"
        role="meter"
        aria-label={`${name} cap`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        aria-valuetext={words}
      >
        <span class="lost" style={{ width: `${lostShare * 100}%` }} />
        <span class="stake" style={{ width: `${(share - lostShare) * 100}%` }} />
      </div>
      <span class="figures">
        {usdcText(lost)}
        {atStake > 0n && <span class="more"> + {usdcText(atStake.toString())}</span>}
        <span class="of"> / {usdcText(cap).replace(/\.00$/, '')}</span>
      </span>
    </div>
  )
}

/** Today's losses against the owner's cap and the service's. */
export const CapBars = pure(function CapBars({
  today: { lost, inPlay, reserved, cap, serviceCap, serviceLost },
}: {
  readonly today: Today
}) {
  const atStake = BigInt(inPlay ?? 0) + BigInt(reserved)
  return (
    <div class="caps">
      <CapBar name="Own" lost={lost} atStake={atStake} cap={cap} />
      {serviceCap !== undefined && <CapBar name="Service" lost={serviceLost ?? lost} atStake={atStake} cap={serviceCap} />}
    </div>
  )
})
