import { type BotRun, backtest } from '../../../src/backtest/index.ts'
import { systemClock } from '../../../src/core/systemClock.ts'
import { usdc } from '../../../src/core/usdc.ts'
import { START_MS } from '../virtualFleet.ts'
import type { Run } from './comparison.ts'
import { type Pace, pacedConfig, type Temper } from './pacedBot.ts'
import { type PlayOptions, playOnSandbox } from './playedOnSandbox.ts'

/** One bot foretold from the recording of another one, and itself from its own. */
export interface Foretold {
  readonly other: Run
  readonly itself: Run
  /** The other one on the same recording, at a stake that nobody played for there. */
  readonly stranger: BotRun
}

/** Records a bold bot, backtests a careful one on that, and then really plays the careful one on the same sandbox. */
export async function foretell({ seed, everySec, rounds }: Omit<PlayOptions, 'temper'>): Promise<Foretold> {
  const pace: Pace = { startMs: START_MS, everySec, rounds }
  const play = { seed, everySec, rounds }
  const bold = await playOnSandbox({ ...play, temper: 'bold' }, async (recording) => {
    const predict = async (temper: Temper, stake?: bigint) => {
      const { bots: config } = pacedConfig(temper, stake === undefined ? pace : { ...pace, stake })
      const { bots } = await backtest({
        logs: [recording],
        bots: config,
        seed,
        withPrices: false,
        clock: systemClock,
      })
      const [bot] = bots
      if (bot === undefined) throw new Error('a backtest of no bot')
      return bot
    }
    return { bold: await predict('bold'), careful: await predict('careful'), stranger: await predict('careful', usdc('3')) }
  })
  const careful = await playOnSandbox({ ...play, temper: 'careful' }, async () => {})
  return {
    other: { predicted: bold.used.careful, real: careful.contests },
    stranger: bold.used.stranger,
    itself: { predicted: bold.used.bold, real: bold.contests },
  }
}
