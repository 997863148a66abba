import type { Checker, Finding, Plant } from '../checker.ts'
import { scanWith } from '../tool.ts'
import type { Files } from '../tree.ts'

const ERROR = /^(?:(?<file>[^\s(][^(]*)\((?<line>\d+),\d+\): )?error (?<rule>TS\d+): (?<message>.*)$/

function findingOf(line: string): Finding[] {
  const found = ERROR.exec(line)?.groups
  if (found === undefined) return []
  return [{ file: found.file ?? 'tsconfig.json', line: Number(found.line ?? 0), rule: found.rule ?? '', message: found.message ?? '' }]
}

/** What runs in Node, and what runs in a browser: neither knows the other's globals. */
const PROJECTS = ['tsconfig.json', 'src/dashboard/page/tsconfig.json']

/** The compiler, with the strictness of tsconfig.json. */
export const types: Checker = {
  name: 'types',
  counts: 'files',
  scan: async (tree) => {
    const files = new Set<string>()
    const findings: Finding[] = []
    for (const project of PROJECTS) {
      const args = ['--project', project, '--noEmit', '--pretty', 'false', '--listFiles']
      const scan = await scanWith(tree, { package: 'typescript', command: 'tsc', args }, ({ stdout }) => {
        const lines = stdout.split(/\r?\n/)
        const ours = lines.filter((line) => line.startsWith(`${tree.root.replaceAll('\\', '/')}/`) && !line.includes('/node_modules/'))
        for (const file of ours) files.add(file)
        return { scanned: ours.length, findings: lines.flatMap(findingOf) }
      })
      findings.push(...scan.findings)
    }
    return { scanned: files.size, findings }
  },
  plants: [
    // A tenth mode: whoever has to decide something about it is named, and that is all.
    {
      ...{ rule: 'TS2741', file: 'src/contests/modes/index.ts', says: 'tug_of_war' },
      files: {
        'src/contract/modes.ts': (before) =>
          before.replace('  same_token: {', "  tug_of_war: { ...BY_SWAPS, playedBy: 'side' },\n  same_token: {"),
      },
    },
    { rule: 'TS2741', file: 'src/contests/house/modes.ts', says: 'tug_of_war', files: {} },
    { rule: 'TS2741', file: 'src/recording/groundPeriods.ts', says: 'tug_of_war', files: {} },
    plant('TS2322', 'src/core/plantedType.ts', "export const one: number = 'one'\n"),
    plant('TS2322', 'src/core/plantedIndex.ts', 'export const first = (values: string[]): string => values[0]\n'),
    plant('TS2375', 'src/core/plantedOptional.ts', 'export const box: { value?: string } = { value: undefined }\n'),
    plant('TS1294', 'src/core/plantedEnum.ts', 'export enum Side {\n  UP,\n}\n'),
    plant('TS1484', 'strategies/plantedImport.ts', "import { Shape } from './plantedShape.ts'\n\nexport const one: Shape = 1\n", {
      'strategies/plantedShape.ts': 'export type Shape = number\n',
    }),
    plant('TS6133', 'test/plantedParameter.ts', 'export const same = (unused: number) => 1\n'),
    plant('TS6133', 'test/plantedLocal.ts', 'export function same(): number {\n  const unused = 1\n  return 1\n}\n'),
    plant('TS7027', 'src/core/plantedUnreachable.ts', 'export function one(): number {\n  return 1\n  return 2\n}\n'),
    plant('TS7028', 'src/core/plantedLabel.ts', 'export function one(): number {\n  unused: for (;;) return 1\n}\n'),
    plant('TS7030', 'src/core/plantedReturn.ts', 'export function one(is: boolean) {\n  if (is) return 1\n}\n'),
    plant(
      'TS7029',
      'src/core/plantedCase.ts',
      'export function one(of: number): void {\n  switch (of) {\n    case 1:\n      one(2)\n    default:\n  }\n}\n',
    ),
    plant('TS4114', 'src/core/plantedOverride.ts', 'export class Odd extends Error {\n  name = "Odd"\n}\n'),
    plant('TS2882', 'src/core/plantedSideEffect.ts', "import './nowhere.ts'\n"),
    plant('TS7006', 'test/system/plantedImplicit.ts', 'export const same = (value) => value\n'),
    plant('TS2835', 'src/core/plantedExtension.ts', "export * from './plantedType'\n"),
    // The page knows no Node, and the rest no browser; its components are looked at too.
    plant('TS2591', 'src/dashboard/page/plantedNode.ts', 'export const home = process.env.HOME\n'),
    plant('TS2584', 'src/dashboard/server/plantedBrowser.ts', 'export const title = document.title\n'),
    plant('TS2322', 'src/charts/plantedType.js', "/** @type {number} */\nexport const one = 'one'\n"),
    plant('TS2322', 'src/dashboard/page/plantedComponent.tsx', 'export const Planted = () => <div tabIndex="x" hidden={{}} />\n'),
  ],
  innocents: {
    'src/dashboard/page/innocent.tsx': 'export const Innocent = () => <p title={document.title}>one</p>\n',
    'src/core/innocent.ts': 'export const first = (values: string[]): string | undefined => values[0]\n',
  },
}

function plant(rule: string, file: string, source: string, others: Files = {}): Plant {
  return { rule, file, files: { [file]: source, ...others } }
}
