import { join, relative } from 'node:path'
import ts from 'typescript'
import { ownProgram } from '../../support/docs/ownProgram.ts'
import type { Checker, Finding } from '../checker.ts'
import type { Tree } from '../tree.ts'

const DOORS = ['src/index.ts', 'src/testing/index.ts']

/** Words that say what a figure counts. */
const UNIT = /\b(?:USDC?|micro-USDC|lamports|base units|basis points|(?:milli)?seconds|share|prices|contests)\b|%/

/** Something that strategies and their tests can import. */
export interface Export {
  readonly name: string
  /** The file that declares it, relative to the tree. */
  readonly file: string
  readonly line: number
  readonly doc: string
  /** Its own examples, without the stars of the comment. */
  readonly examples: readonly string[]
  /** True for what is there at run time: a function, a class, a constant. */
  readonly isValue: boolean
  /** The exports that its declaration names. */
  readonly names: readonly string[]
  /** Its fields that are numbers and have no doc string. */
  readonly bareFigures: readonly string[]
}

/**
 * The doc strings of what `cornerman` and `cornerman/testing` export:
 *
 * - every export has one that says what it is for;
 * - every function, class and constant has an `@example`;
 * - a type has its example through the functions that it serves: an export with an example names it in its declaration, or names a type
 *   that does. A type that none of them leads to has an `@example` of its own;
 * - a number among the fields of a type has a doc string, or the type's own says what its numbers count.
 *
 * That the examples compile is the business of test/system/docs.test.ts, which reads the same comments.
 */
export const exports: Checker = {
  name: 'exports',
  counts: 'exports',
  scan: async (tree) => {
    const all = exportsOf(tree)
    const served = servedBy(all)
    return { scanned: all.length, findings: all.flatMap((each) => faultsOf(each, served)) }
  },
  plants: [
    plant('no-doc', 'Bare', 'export interface Bare {\n  readonly name: string\n}\n'),
    plant('no-example', 'unshown', '/** Doubles. */\nexport const unshown = (value: number): number => value * 2\n'),
    plant('no-example', 'Unserved', '/** Nobody takes it. */\nexport type Unserved = string\n'),
    plant('no-unit', 'Unmeasured', '/** A wait.\n *\n * @example wait */\nexport interface Unmeasured {\n  readonly wait: number\n}\n'),
  ],
  innocents: {},
}

/** Every export of both doors, once. */
export function exportsOf(tree: Tree): readonly Export[] {
  const program = ownProgram(DOORS.map((door) => join(tree.root, door)))
  const checker = program.getTypeChecker()
  const resolved = (symbol: ts.Symbol) => ((symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol))
  const symbols = new Set(
    DOORS.flatMap((door) => {
      const source = program.getSourceFile(join(tree.root, door))
      const module = source && checker.getSymbolAtLocation(source)
      if (module === undefined) throw new Error(`${door} exports nothing`)
      return checker.getExportsOfModule(module).map(resolved)
    }),
  )

  /** The exports that a declaration names: of a function its signature, of a type all of it. */
  function namesIn(declaration: ts.Node): string[] {
    const names: string[] = []
    const look = (node: ts.Node): void => {
      if (ts.isBlock(node)) return
      const symbol = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined
      const target = symbol && resolved(symbol)
      if (target !== undefined && symbols.has(target)) names.push(target.name)
      ts.forEachChild(node, look)
    }
    look(declaration)
    return names
  }

  const docOf = (symbol: ts.Symbol) => ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim()
  const isFigure = (symbol: ts.Symbol) => {
    const type = checker.getNonNullableType(checker.getTypeOfSymbol(symbol))
    return (type.flags & (ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike)) !== 0
  }
  return [...symbols].map((symbol) => {
    const declarations = symbol.declarations ?? []
    const [declaration] = declarations
    if (declaration === undefined) throw new Error(`${symbol.name} is declared nowhere`)
    const source = declaration.getSourceFile()
    const isType = ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration)
    const own = declarations.filter(ts.isInterfaceDeclaration).flatMap(({ members }) => members.map((member) => member.name))
    const fields = own.flatMap((name) => (name === undefined ? [] : (checker.getSymbolAtLocation(name) ?? [])))
    return {
      name: symbol.name,
      file: relative(tree.root, source.fileName).replaceAll('\\', '/'),
      line: source.getLineAndCharacterOfPosition(declaration.getStart()).line + 1,
      doc: docOf(symbol),
      examples: symbol
        .getJsDocTags(checker)
        .filter(({ name }) => name === 'example')
        .map(({ text }) => ts.displayPartsToString(text).trim()),
      isValue: !isType,
      names: [...new Set(declarations.flatMap(namesIn))].filter((name) => name !== symbol.name),
      bareFigures: fields.filter((field) => isFigure(field) && docOf(field) === '').map(({ name }) => name),
    }
  })
}

/** The exports that have an example, and those that one leads to. */
function servedBy(all: readonly Export[]): ReadonlySet<string> {
  const byName = new Map(all.map((each) => [each.name, each]))
  const served = new Set(all.filter(({ examples }) => examples.length > 0).map(({ name }) => name))
  // The set grows while it is walked.
  for (const name of served) for (const other of byName.get(name)?.names ?? []) served.add(other)
  return served
}

function faultsOf({ name, file, line, doc, examples, isValue, bareFigures }: Export, served: ReadonlySet<string>): Finding[] {
  const fault = (rule: string, message: string): Finding => ({ file, line, rule, message: `${name} ${message}` })
  return [
    ...(doc === '' ? [fault('no-doc', 'is exported without a doc string: say what it is for')] : []),
    ...(isValue && examples.length === 0 ? [fault('no-example', 'is exported without an @example')] : []),
    ...(!isValue && !served.has(name)
      ? [fault('no-example', 'is a type that no function with an example leads to: give it an @example')]
      : []),
    ...(UNIT.test(doc) ? [] : bareFigures.map((field) => fault('no-unit', `has the number ${field}, and nothing says what it counts`))),
  ]
}

function plant(rule: string, name: string, source: string) {
  const file = `src/strategy/planted${name}.ts`
  const files = { [file]: source, 'src/index.ts': (before: string) => `${before}export * from './strategy/planted${name}.ts'\n` }
  return { rule, file, says: name, files }
}
