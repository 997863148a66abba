/** A share of the stake as percent, with its sign. @example points(0.0512) // '+5.1 %' */
export const points = (share: number): string => `${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(1)} %`

/** A share as whole percent. @example percent(0.853) // '85 %' */
export const percent = (share: number): string => `${Math.round(100 * share)} %`
