import { globSync, readFileSync } from 'node:fs'
import * as door from '../../../src/index.ts'
import * as testing from '../../../src/testing/index.ts'
import type { Fence } from './fences.ts'

// The `@example`s of what strategies and their tests may import, as files that a compiler can read.

const SOURCES = ['src/core/*.ts', 'src/contract/*.ts', 'src/contract/shapes/*.ts', 'src/strategy/**/*.ts', 'src/testing/**/*.ts']
const DOC = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:export (?:async )?(?:function|const|class) ([\w$]+))?/g

/** Names that an example may use as if they were there, by where they come from. */
const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  cornerman: Object.keys(door),
  'cornerman/testing': Object.keys(testing),
  rxjs: ['filter', 'map', 'of'],
  'trading-signals': ['ADX', 'WMA'],
  vitest: ['expect', 'test'],
  zod: ['z'],
}
/** The same of types, of `cornerman` all. */
const TYPES = ['Chain', 'Config', 'Format', 'Mint', 'Opponents']
const STRATEGIES = ['breakout', 'drift', 'ladder', 'momentum']
/** What its surroundings would have, with its type. */
const GIVEN: Readonly<Record<string, string>> = {
  available: "import('cornerman').TradeContext<unknown>['available']",
  contest: "import('cornerman').ContestView",
  context: "import('cornerman').TradeContext<unknown>",
  draft: "import('cornerman').DraftContext<unknown>['draft']",
  every: "import('cornerman').RunContext<unknown>['every']",
  JUP: 'string',
  mine: "() => import('cornerman').CustomStrategy",
  positions$: "import('cornerman').TradeContext<unknown>['positions$']",
  prices: "import('cornerman').Prices",
  token: 'string',
}

/** Every example of a doc string, with the imports and the variables that it takes for granted. */
export function examples(): readonly Fence[] {
  const isPublic = (name: string) => IMPORTS.cornerman?.includes(name) || IMPORTS['cornerman/testing']?.includes(name)
  return globSync(SOURCES)
    .filter((page) => !page.endsWith('.test.ts'))
    .toSorted()
    .flatMap((page) => {
      const source = readFileSync(page, 'utf8')
      return [...source.matchAll(DOC)].flatMap(({ 1: doc = '', 2: name, index }) => {
        const code = exampleIn(doc)
        // Without a name it is of a field or a method, which has no example where it is not for strategies.
        if (code === undefined || (name !== undefined && !isPublic(name))) return []
        return [{ page, line: source.slice(0, index).split('\n').length, language: 'ts', code: completed(code) }]
      })
    })
}

/** What stands behind `@example`, up to the next tag. */
function exampleIn(doc: string): string | undefined {
  const text = doc.replaceAll(/^\s*\* ?/gm, '')
  return /^@example\s+((?:(?!^@)[\s\S])*)/m.exec(text)?.[1]?.trim()
}

function completed(code: string): string {
  // Not as a field, of an object or in one; behind a spread it is one again.
  const isUsed = (name: string) => new RegExp(`(?<![\\w$']|(?<!\\.\\.)\\.)${name.replaceAll('$', '\\$')}(?![\\w$':])`).test(code)
  const imports = Object.entries(IMPORTS).map(([from, names]) => ({ from, names: names.filter(isUsed) }))
  const strategies = STRATEGIES.filter(isUsed)
  const given = Object.entries(GIVEN).filter(([name]) => isUsed(name))
  const declared = [...code.matchAll(/^const ([\w$]+)/gm)].map(([, name = '']) => name)
  const names = [...imports.flatMap((each) => each.names), ...strategies, ...given.map(([name]) => name), ...declared]
  return [
    ...imports.filter((each) => each.names.length > 0).map((each) => `import { ${each.names.join(', ')} } from '${each.from}'`),
    ...TYPES.filter(isUsed).map((name) => `import type { ${name} } from 'cornerman'`),
    ...strategies.map((name) => `import ${name} from '../../strategies/${name}.ts'`),
    ...given.map(([name, type]) => `declare const ${name}: ${type}`),
    code,
    // None of them is to be taken for unused, and each example is a module of its own.
    `void [${names.join(', ')}]`,
    'export {}',
  ].join('\n')
}
