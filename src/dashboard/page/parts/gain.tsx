import type { Micro } from '../../watch/views.ts'
import { toneOf, usdcText } from '../format/usdcText.ts'

/** A gain or a loss, with its sign and its colour. */
export function Gain({ amount }: { readonly amount: Micro | undefined }) {
  return <span class={`amount ${toneOf(amount)}`}>{usdcText(amount, { isSigned: true })}</span>
}
