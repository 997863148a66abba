import '../support/lowPriority.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { isTradingMode, MODES, type Mode } from '../../src/contract/enums.ts'
import { compare, MOST_MEDIAN_BPS, missesOf } from '../support/counterfactual/comparison.ts'
import { type Foretold, foretell } from '../support/counterfactual/foretell.ts'

// Whether the backtest tells the truth: what a bot's recording foretells of another bot, and what that one really comes to
// on the same sandbox. `bench/counterfactual.ts` is the same at length, with figures.

const ROUNDS = 8
/** One with pairs enough in every mode: whether two bots meet the same contest is chance, what they make of it is not. */
const SEED = 8
/** Pairs without which a mode's figures would say nothing. In up_down two bots must take the same side twice running. */
const LEAST_PAIRS = 3
/** Which of the bot's swaps land late or fail depends on its wallet, which is another one every time: some close things turn. */
const MOSTLY = 0.94
const LIMIT_MS = 30 * 60_000

let foretold: Foretold

beforeAll(async () => {
  foretold = await foretell({ seed: SEED, everySec: 7, rounds: ROUNDS })
}, LIMIT_MS)

describe('a backtest', () => {
  test('foretells another bot: equal to the micro-USDC in games, within 25 bps of the return in trading modes', () => {
    const modes = compare([foretold.other])
    expect(missesOf(modes, LEAST_PAIRS)).toEqual([])
    for (const { mode, real, medianBps } of modes) {
      expect(real, mode).toBe(ROUNDS)
      expect(medianBps !== null, mode).toBe(isTradingMode(mode))
    }
  })

  test('foretells the recorded bot itself: nearly every contest is the same one, and came to the same but where it was a close thing', () => {
    const modes = compare([foretold.itself])
    expect(missesOf(modes, ROUNDS - 2)).toEqual([])
    for (const { mode, upsetBps } of modes) expect(upsetBps ?? 0, mode).toBeLessThan(MOST_MEDIAN_BPS)
    const [equal, paired] = [modes.reduce((sum, mode) => sum + mode.equal, 0), modes.reduce((sum, mode) => sum + mode.paired, 0)]
    expect(equal / paired).toBeGreaterThan(MOSTLY)
  })

  test('meets a reference opponent, and counts it, where the log has no contest on the terms of an entry', () => {
    const { contests, expired } = foretold.stranger
    // What is listed is listed at its own stake: up_down is joined, the others are entered by the queue.
    const queued = contests.filter(({ mode }) => mode !== 'up_down')
    expect(new Set<Mode>(queued.map(({ mode }) => mode))).toEqual(new Set(MODES.filter((mode) => mode !== 'up_down')))
    expect(queued.flatMap(({ others }) => others.map(({ source }) => source)).every((source) => source === 'reference')).toBe(true)
    // What is under way when the log ends has come to nothing yet: the last entry, and perhaps the one before it.
    expect(queued.length + expired).toBeGreaterThanOrEqual((MODES.length - 1) * ROUNDS - 2)
  })
})
