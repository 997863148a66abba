import type { Terms } from '../../backtest/index.ts'
import { MODES, type Mode } from '../../contract/modes.ts'
import { CornermanError } from '../../core/error.ts'
import { usdc } from '../../core/usdc.ts'
import type { BotConfig, Config } from '../../strategy/config.ts'
import type { Strategy } from '../../strategy/define.ts'
import { modesPlayedBy } from '../../strategy/modeWarnings.ts'
import { loadStrategy } from '../loadStrategy.ts'
import { PLAIN_AT_ONCE, plainPolicy } from './plainPolicy.ts'

/** More than any run loses: what a strategy would make is asked, and not what its owner would let it lose. */
const NO_CAP = usdc('1000000')

/** Strategies that choose what to enter: of these the one to be tried plays alone. */
const ENTERS: ReadonlySet<Strategy['kind']> = new Set(['queue', 'custom'])

/**
 * The config with the strategies of these files, by their default parameters, and one bot that plays them. Those that only play are asked
 * about alone: the bot is called after the first of them, has no other strategies, and a plain policy enters their modes. One that chooses
 * what to enter takes the place of the first bot's own, and that bot's other strategies play what it enters. The config itself needs no change.
 *
 * @param termsOf on which terms a mode is entered
 * @throws CornermanError of `loadStrategy`; `STRATEGY_PARAMS_INVALID` where a parameter has no default; `USAGE` where the files do not go together
 */
export async function tryStrategies(config: Config, files: readonly string[] | undefined, termsOf: (mode: Mode) => Terms): Promise<Config> {
  const [first] = config.bots
  if (files === undefined || first === undefined) return config
  const tried: Strategy[] = []
  for (const file of files) {
    const define = await loadStrategy(file)
    tried.push(define())
  }
  expectTogether(tried)
  if (!tried.some(enters)) return { ...config, bots: [alone(first, tried, termsOf)] }
  return { ...config, bots: [{ ...first, strategies: [...tried, ...first.strategies.filter((own) => isKept(own, tried))] }] }
}

/** A bot that plays these strategies and nothing else, in their modes. Its swaps keep to the caps of the first bot; its stakes are the plain policy's. */
function alone(first: BotConfig, tried: readonly Strategy[], termsOf: (mode: Mode) => Terms): BotConfig {
  const modes = MODES.filter((mode) => tried.some((strategy) => modesPlayedBy(strategy).includes(mode)))
  const terms = modes.map(termsOf)
  const maxStake = terms.reduce((most, { stake }) => (stake > most ? stake : most), first.guard.maxStake)
  const { coolDown: _, maxDrawdown: __, ...guard } = first.guard
  return {
    ...{ ...first, name: tried[0]?.name ?? first.name, strategies: [plainPolicy(terms), ...tried] },
    guard: {
      ...guard,
      ...{ maxStake, dailyLoss: NO_CAP, modes: [...MODES], maxOpenContests: PLAIN_AT_ONCE, modeBudgets: {}, strategyBudgets: {} },
    },
  }
}

const enters = ({ kind }: Strategy): boolean => ENTERS.has(kind)

const isKept = (own: Strategy, tried: readonly Strategy[]): boolean =>
  !tried.some((other) => other.name === own.name || (enters(other) && enters(own)))

function expectTogether(tried: readonly Strategy[]): void {
  const entering = tried.filter(enters).map(({ name }) => name)
  const twice = tried.find(({ name }, place) => tried.findIndex((other) => other.name === name) < place)
  if (twice !== undefined) throw new CornermanError('USAGE', `--strategy: ${twice.name} twice: name it once`)
  if (entering.length > 1) {
    const names = entering.join(' and ')
    throw new CornermanError('USAGE', `--strategy: ${names} both choose what to enter, and one can be tried at a time: run them one by one`)
  }
}
