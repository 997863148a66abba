import { entryRule } from '../rule.ts'
import { aheadText } from '../texts.ts'

/** No entry while this machine's clock and the service's are more than an hour apart: the days of the caps would differ. */
export const clocksAgree = entryRule((_, { clockGapMs }) =>
  clockGapMs === 0
    ? undefined
    : {
        code: 'CLOCKS_DISAGREE',
        message: `this machine's clock is ${aheadText(clockGapMs)}: set this machine's clock`,
        numbers: { clockGapMs },
      },
)
