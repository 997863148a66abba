import { relative } from 'node:path'
import ts from 'typescript'
import { ownProgram } from './ownProgram.ts'

/** A place where an error is made. */
export interface Made {
  /** File and line. */
  readonly place: string
  /** What its code may be; none where the source does not tell. */
  readonly codes: readonly string[]
}

const BASE = 'CornermanError'
const CODE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/

type Making = ts.NewExpression | ts.CallExpression

/** Every place in these files where a `CornermanError` is made, or an error of a class that extends it. */
export function errorsMadeIn(files: readonly string[]): readonly Made[] {
  const program = ownProgram(files)
  const checker = program.getTypeChecker()
  const sources = program.getSourceFiles().filter(({ isDeclarationFile }) => !isDeclarationFile)
  const news = sources.flatMap((source) => nodesIn(source, ts.isNewExpression))
  const kin = kinOf(sources.flatMap((source) => nodesIn(source, ts.isClassDeclaration)))
  const constructors = [...kin.values()].filter((own) => own !== undefined)
  const makings: readonly Making[] = [
    // One whose class has a constructor is made where that calls the one above it.
    ...news.filter(({ expression }) => kin.has(expression.getText()) && kin.get(expression.getText()) === undefined),
    ...constructors.flatMap((own) => nodesIn(own, isSuperCall)),
  ]

  /** Of a type first, and where that is any text, of what the text may come from; undefined where it may come from elsewhere. */
  function codesOf(expression: ts.Expression): readonly string[] | undefined {
    const stated = stringsOf(checker.getTypeAtLocation(expression))
    if (stated !== undefined) return stated
    if (ts.isBinaryExpression(expression)) return together([codesOf(expression.left), codesOf(expression.right)])
    const declaration = ts.isIdentifier(expression) ? checker.getSymbolAtLocation(expression)?.valueDeclaration : undefined
    if (declaration === undefined) return undefined
    if (ts.isParameter(declaration) && ts.isConstructorDeclaration(declaration.parent)) return codesGiven(declaration.parent, declaration)
    // Of a parameter of another function the name is no variable's, whatever the function is kept in.
    const variable = ts.findAncestor(declaration, (node) => ts.isVariableDeclaration(node) || (ts.isParameter(node) && 'quit'))
    return variable === undefined ? undefined : nodesIn(variable, ts.isStringLiteral).map(({ text }) => text)
  }

  /** What a constructor is called with in the place of one of its parameters. */
  function codesGiven(
    { parent, parameters }: ts.ConstructorDeclaration,
    parameter: ts.ParameterDeclaration,
  ): readonly string[] | undefined {
    const calls = news.filter(({ expression }) => expression.getText() === parent.name?.text)
    const given = calls.map((call) => call.arguments?.[parameters.indexOf(parameter)])
    return together(given.map((argument) => (argument === undefined ? [] : codesOf(argument))))
  }

  return makings.map((making) => {
    const [code] = making.arguments ?? []
    const texts = code === undefined ? [] : (codesOf(code) ?? [])
    return { place: placeOf(making), codes: [...new Set(texts.filter((text) => CODE.test(text)))] }
  })
}

const together = (parts: readonly (readonly string[] | undefined)[]): readonly string[] | undefined => {
  const known = parts.filter((part) => part !== undefined)
  return known.length < parts.length ? undefined : known.flat()
}

/** The base and every class that extends it, by name, with the constructor that each of the others has of its own. */
function kinOf(classes: readonly ts.ClassDeclaration[]): ReadonlyMap<string, ts.ConstructorDeclaration | undefined> {
  const kin = new Map<string, ts.ConstructorDeclaration | undefined>([[BASE, undefined]])
  for (let known = 0; known < kin.size; ) {
    known = kin.size
    for (const { name, heritageClauses, members } of classes) {
      const above = heritageClauses?.flatMap(({ types }) => types.map(({ expression }) => expression.getText())) ?? []
      if (name !== undefined && above.some((other) => kin.has(other))) kin.set(name.text, members.find(ts.isConstructorDeclaration))
    }
  }
  return kin
}

const isSuperCall = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword

/** The node itself, too. */
function nodesIn<T extends ts.Node>(root: ts.Node, isOne: (node: ts.Node) => node is T): readonly T[] {
  const found: T[] = []
  const look = (node: ts.Node): void => {
    if (isOne(node)) found.push(node)
    ts.forEachChild(node, look)
  }
  look(root)
  return found
}

/** The texts that a type stands for, apart from being undefined; undefined where it may be any. */
function stringsOf(type: ts.Type): readonly string[] | undefined {
  const parts = (type.isUnion() ? type.types : [type]).filter(({ flags }) => (flags & ts.TypeFlags.Undefined) === 0)
  return parts.every((part) => part.isStringLiteral()) ? parts.map(({ value }) => value) : undefined
}

function placeOf(node: ts.Node): string {
  const source = node.getSourceFile()
  return `${relative('.', source.fileName)}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
}
