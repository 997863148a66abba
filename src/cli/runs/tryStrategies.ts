import { CornermanError } from '../../core/error.ts'
import type { Config } from '../../strategy/config.ts'
import type { Strategy } from '../../strategy/define.ts'
import { loadStrategy } from '../loadStrategy.ts'

/** Strategies that choose what to enter: of these the one to be tried plays alone. */
const ENTERS: ReadonlySet<Strategy['kind']> = new Set(['queue', 'custom'])

/**
 * The config with the strategies of these files, by their default parameters, in the hands of its first bot: before its own, in
 * the order they are named in, so that they are the ones asked, and in place of its policies where one chooses what to enter. The
 * config itself needs no change.
 *
 * @throws CornermanError of `loadStrategy`; `STRATEGY_PARAMS_INVALID` where a parameter has no default; `USAGE` where the files do not go together
 */
export async function tryStrategies(config: Config, files: readonly string[] | undefined): Promise<Config> {
  const [first] = config.bots
  if (files === undefined || first === undefined) return config
  const tried: Strategy[] = []
  for (const file of files) {
    const define = await loadStrategy(file)
    tried.push(define())
  }
  expectTogether(tried)
  return { ...config, bots: [{ ...first, strategies: [...tried, ...first.strategies.filter((own) => isKept(own, tried))] }] }
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
