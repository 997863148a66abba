import { aheadText } from '../../guard/index.ts'

export const CLOCKS_AGREE = "this machine's clock and the service's agree again: entries go on"

/** @param gapMs how far this machine's clock is ahead of the service's */
export const clockGapText = (gapMs: number): string =>
  `This machine's clock is ${aheadText(gapMs)}. New entries have stopped; open contests go on. Set this machine's clock.`
