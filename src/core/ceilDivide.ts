/** A quotient rounded up; the dividend is not negative, the divisor above 0. */
export const ceilDivide = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor
