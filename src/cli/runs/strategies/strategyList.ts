import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { modesWhere } from '../../../contract/modes.ts'
import { messageOf } from '../../../core/error.ts'
import type { Strategy } from '../../../strategy/define.ts'
import { loadStrategy } from '../../loadStrategy.ts'
import { type Parameter, parametersOf } from './parameters.ts'

/** A strategy as its file defines it. */
export interface ListedStrategy {
  readonly name: string
  readonly file: string
  readonly kind: Strategy['kind']
  /** The modes it plays; null where it chooses them itself, or by a parameter. */
  readonly modes: readonly string[] | null
  /** The first sentence of its doc comment. */
  readonly description: string | null
  readonly parameters: readonly Parameter[]
}

export interface StrategyList {
  readonly strategies: readonly ListedStrategy[]
  /** Files that are no strategies, and why. */
  readonly broken: readonly { readonly file: string; readonly error: string }[]
}

/** Reads every strategy of a folder, its subfolders and its tests apart, in the order of the file names. */
export async function strategyList(dir: string): Promise<StrategyList> {
  const names = readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !/\.(?:test|d)\.ts$/.test(entry.name))
    .map(({ name }) => name)
    .sort()
  const strategies: ListedStrategy[] = []
  const broken: StrategyList['broken'][number][] = []
  for (const name of names) {
    const file = join(dir, name)
    try {
      strategies.push(await listed(file))
    } catch (thrown) {
      broken.push({ file, error: messageOf(thrown) })
    }
  }
  return { strategies, broken }
}

async function listed(file: string): Promise<ListedStrategy> {
  const define = await loadStrategy(file)
  return {
    name: define.strategyName,
    file,
    kind: define.kind,
    modes: modesOf(define),
    description: firstSentence(readFileSync(file, 'utf8')),
    parameters: parametersOf(define.paramsSchema as unknown as z.ZodObject),
  }
}

function modesOf(define: Awaited<ReturnType<typeof loadStrategy>>): readonly string[] | null {
  if (define.kind === 'draft') return modesWhere({ asked: 'draft' })
  if (define.kind !== 'predict' && define.kind !== 'trade') return null
  try {
    const strategy = define()
    return 'modes' in strategy ? strategy.modes : null
  } catch {
    // It has a parameter without a default, and says no modes without it.
    return null
  }
}

/** Of the comment before the default export: up to the first full stop that a capital letter, or nothing, comes after. */
function firstSentence(source: string): string | null {
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export default/.exec(source)?.[1]
  const text = comment
    ?.split('\n')
    .map((line) => line.replace(/^\s*\*?\s?/, '').trim())
    .join(' ')
    .trim()
  return text === undefined || text === '' ? null : (/^.*?\.(?=\s+\p{Lu}|$)/u.exec(text)?.[0] ?? text)
}
