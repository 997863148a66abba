import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { CornermanError } from '../../core/error.ts'
import { show } from '../../core/show.ts'

/** By kind, the template that a new strategy is made from: a strategy that plays, with its test beside it. */
export const TEMPLATES = {
  queue: 'queueTemplate',
  draft: 'draftTemplate',
  predict: 'predictTemplate',
  trade: 'tradeTemplate',
  custom: 'customTemplate',
} as const
export type TemplateKind = keyof typeof TEMPLATES

const FOLDER = join(import.meta.dirname, 'templates')
/** The prices that come with the framework: in the clone below `src/`, in the package below `dist/`. */
const PRICES = join(import.meta.dirname, '../../sandbox/data/31-coins-1m-closes-2025-07.csv.gz')
const KEBAB_OR_CAMEL = /^[a-z][a-zA-Z0-9]*(?:-[a-z0-9]+)*$/
const LONGEST = 40
/** Names that Windows keeps to itself, whatever follows the first dot. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i
/** Words that no import can be called. */
const WORDS = new Set(
  'await break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield arguments eval async undefined NaN Infinity'.split(
    ' ',
  ),
)

export interface NewStrategy {
  readonly kind: TemplateKind
  /** What an import of it is called. */
  readonly identifier: string
  /** Relative to the working directory. */
  readonly file: string
  readonly test: string
}

/**
 * Writes a strategy and its test from the template of its kind. Both are written, or none.
 *
 * @param name in kebab or camel case: the strategy's name and its file's
 * @param dir the folder of the strategies
 * @throws CornermanError `USAGE` for a name that a strategy or a file cannot have, and where one of the files is there already
 */
export function newStrategy(name: string, kind: TemplateKind, dir: string): NewStrategy {
  expectName(name)
  const template = TEMPLATES[kind]
  const source = readFileSync(join(FOLDER, `${template}.ts`), 'utf8')
  const testSource = readFileSync(join(FOLDER, `${template}.test.ts`), 'utf8')
  const identifier = identifierOf(name, `${source}\n${testSource}`)
  const rename = (text: string) =>
    text
      .replaceAll(`'./${template}.ts'`, `'./${name}.ts'`)
      .replaceAll(`'${template}'`, `'${name}'`)
      .replaceAll(new RegExp(`\\b${template}\\b`, 'g'), identifier)
  const made = { kind, identifier, file: join(dir, `${name}.ts`), test: join(dir, `${name}.test.ts`) }
  for (const file of [made.file, made.test]) {
    if (existsSync(file)) throw usage(`${file} is there already, and is left as it is: take another name, or move it away`)
  }
  mkdirSync(dir, { recursive: true })
  writeFileSync(made.file, rename(source), { flag: 'wx' })
  try {
    writeFileSync(made.test, rename(testSource), { flag: 'wx' })
  } catch (thrown) {
    rmSync(made.file)
    throw thrown
  }
  return made
}

/** What to do next, line by line. */
export function nextSteps({ identifier, file, test }: NewStrategy): string[] {
  const path = `./${relative('.', file).replaceAll('\\', '/')}`
  return [
    `wrote ${file} and ${test}`,
    '',
    'Its test:',
    `  npm test -- ${test}`,
    'What it makes of a contest, on five days of recorded prices (the last line says it, the report tells it by mode):',
    `  npm run cornerman -- logs import ${relative('.', PRICES).replaceAll('\\', '/')} --out imported`,
    `  npm run cornerman -- backtest --log imported --strategy ${file} --report report.html`,
    'To play with it, in bots.config.ts:',
    `  import ${identifier} from '${path}'`,
    `  strategies: [${identifier}(), …]`,
  ]
}

function expectName(name: string): void {
  if (name.length > LONGEST || !KEBAB_OR_CAMEL.test(name)) {
    const hint = name.endsWith('.ts') ? ` Leave out the .ts.` : ''
    throw usage(
      `${show(name)} is not a name for a strategy: a small letter first, then letters and digits, up to ${LONGEST}, as in my-edge or myEdge.${hint}`,
    )
  }
  if (DEVICES.test(name)) throw usage(`${show(name)} is a name that Windows has for a device, not for a file: take another`)
}

/** In camel case; where the language or the template has that word for something else, with `Strategy` behind it. */
function identifierOf(name: string, source: string): string {
  const camel = name.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  const isTaken = WORDS.has(camel) || new RegExp(`\\b${camel}\\b`).test(source)
  return isTaken ? `${camel}Strategy` : camel
}

const usage = (message: string) => new CornermanError('USAGE', message)
