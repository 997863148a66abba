import type { Micro, Today } from '../../watch/views.ts'
import { usdcNumber, usdcText } from '../format/usdcText.ts'
import { pure } from './pure.tsx'

interface CapBarProps {
  readonly name: string
  readonly lost: Micro | undefined
  readonly atStake: bigint | undefined
  readonly cap: Micro
}

/** From this share of a cap on a bar warns. */
const WARNED_FROM = 0.8

/** What of a cap is lost, and what more would be if all that is at stake were. */
function CapBar({ name, lost, atStake, cap }: CapBarProps) {
  const whole = usdcNumber(cap)
  const shareOf = (part: number) => (whole === 0 ? 0 : Math.min(1, part / whole))
  const lostShare = shareOf(usdcNumber(lost ?? '0'))
  const share = shareOf(usdcNumber((BigInt(lost ?? 0) + (atStake ?? 0n)).toString()))
  const stake = atStake?.toString()
  const inWords = (amount: Micro | undefined) => (amount === undefined ? 'an unknown amount' : usdcText(amount))
  const words = `${inWords(lost)} lost and ${inWords(stake)} at stake of ${usdcText(cap)}`
  const tone = share >= 1 ? 'alarm' : share >= WARNED_FROM ? 'warn' : 'calm'
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
        {atStake !== 0n && lost !== undefined && <span class="more"> + {usdcText(stake)}</span>}
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
  const atStake = inPlay === undefined || reserved === undefined ? undefined : BigInt(inPlay) + BigInt(reserved)
  return (
    <div class="caps">
      <CapBar name="Own" lost={lost} atStake={atStake} cap={cap} />
      {serviceCap !== undefined && <CapBar name="Service" lost={serviceLost ?? lost} atStake={atStake} cap={serviceCap} />}
    </div>
  )
})
