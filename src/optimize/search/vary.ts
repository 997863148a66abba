import { CornermanError } from '../../core/error.ts'
import type { Scale } from './dimension.ts'

/** What `--vary` says of one parameter. */
export interface Vary {
  readonly strategy: string
  readonly parameter: string
  /** As it was written: messages name it. */
  readonly text: string
  readonly over: { readonly low: number; readonly high: number; readonly scale: Scale | undefined } | { readonly values: readonly string[] }
}

const VARY = /^([\w-]+)\.(\w+)=(.+)$/s
const RANGE = /^(-?[\d.]+?(?:e-?\d+)?)\.\.(-?[\d.]+(?:e-?\d+)?)(?::(log|linear))?$/i
/** Not within the brackets of a list. */
const COMMA = /,(?![^[]*\])/

/**
 * Reads `name.parameter=lo..hi`, with `:log` or `:linear` behind it, or `name.parameter=v1,v2,v3`.
 *
 * @throws CornermanError `USAGE` for anything else
 * @example parseVary('momentum.lookbackSec=5..600:log').over // { low: 5, high: 600, scale: 'log' }
 */
export function parseVary(text: string): Vary {
  const [, strategy, parameter, said] = VARY.exec(text) ?? []
  if (strategy === undefined || parameter === undefined || said === undefined)
    throw refused(text, 'NAME.PARAMETER=LOW..HIGH or NAME.PARAMETER=VALUE,VALUE, such as momentum.lookbackSec=5..600:log')
  if (strategy === 'guard') throw refused(text, 'the caps of a guard are not tuned: change them in the config')
  return { strategy, parameter, text, over: rangeOf(text, said) ?? { values: valuesOf(text, said) } }
}

function rangeOf(text: string, said: string): Vary['over'] | undefined {
  const [, lowText, highText, scaleText] = RANGE.exec(said) ?? []
  const [low, high, scale] = [Number(lowText), Number(highText), scaleText?.toLowerCase()]
  if (Number.isNaN(low) || Number.isNaN(high)) {
    if (said.includes('..')) throw refused(text, 'LOW..HIGH are two numbers, with :log or :linear behind them or nothing')
    return undefined
  }
  if (low >= high) throw refused(text, `the lower bound comes first, and below the upper one: ${low} is not below ${high}`)
  if (scale === 'log' && low <= 0) throw refused(text, `a log scale needs bounds above 0, and there is ${low}`)
  return { low, high, scale: scale === 'log' || scale === 'linear' ? scale : undefined }
}

function valuesOf(text: string, said: string): readonly string[] {
  const values = [...new Set(said.split(COMMA).map((value) => value.trim()))]
  if (values.length < 2) throw refused(text, `one value is nothing to choose from: --set ${text} fixes it`)
  return values
}

/** A mistake in a `--vary`. */
export const refused = (text: string, says: string): CornermanError => new CornermanError('USAGE', `--vary ${text}: ${says}`)
