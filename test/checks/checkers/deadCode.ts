import { z } from 'zod'
import type { Checker } from '../checker.ts'
import type { KnipReport } from '../knipReporter.ts'
import { scanWith } from '../tool.ts'

const reportSchema: z.ZodType<KnipReport> = z.strictObject({
  analysed: z.int(),
  issues: z.array(z.strictObject({ type: z.string(), file: z.string(), line: z.int().nullable(), symbol: z.string() })),
  idleSettings: z.array(z.string()),
})

const MESSAGES: Readonly<Record<string, string>> = {
  files: 'nothing imports this file',
  exports: 'is exported and nothing imports it',
  types: 'is exported and nothing imports it',
  duplicates: 'are exports of the same thing',
  dependencies: 'is a dependency that nothing imports',
  devDependencies: 'is a devDependency that nothing uses',
  unlisted: 'is imported and not a dependency in package.json',
  binaries: 'is a command of no package in package.json',
  unresolved: 'leads nowhere',
}

/** Knip: files, exports and dependencies that nothing uses. */
export const deadCode: Checker = {
  name: 'dead code',
  counts: 'files',
  scan: (tree) =>
    scanWith(
      tree,
      { package: 'knip', command: 'knip', args: ['--no-progress', '--reporter', './test/checks/knipReporter.ts'] },
      ({ stdout }) => {
        const { analysed, issues, idleSettings } = reportSchema.parse(JSON.parse(stdout))
        const dead = issues.map(({ type, file, line, symbol }) => ({
          file,
          line: line ?? undefined,
          rule: type,
          message: type === 'files' ? (MESSAGES.files ?? '') : `${symbol} ${MESSAGES[type] ?? ''}`,
        }))
        const idle = idleSettings.map((setting) => ({ file: 'knip.json', rule: 'idle-setting', message: setting }))
        return { scanned: analysed, findings: [...dead, ...idle] }
      },
    ),
  plants: [
    { rule: 'files', file: 'src/core/plantedFile.ts', files: { 'src/core/plantedFile.ts': 'export const one = 1\n' } },
    { rule: 'files', file: 'test/support/plantedFile.ts', files: { 'test/support/plantedFile.ts': 'export const one = 1\n' } },
    {
      rule: 'exports',
      file: 'src/core/plantedExport.ts',
      files: {
        'src/core/plantedExport.ts': 'export const used = 1\nexport const unused = 2\n',
        'src/core/plantedExport.test.ts': "import { used } from './plantedExport.ts'\n\nvoid used\n",
      },
    },
    {
      rule: 'types',
      file: 'src/core/plantedType.ts',
      files: {
        'src/core/plantedType.ts': 'export const used = 1\nexport type Unused = 2\n',
        'src/core/plantedType.test.ts': "import { used } from './plantedType.ts'\n\nvoid used\n",
      },
    },
    { rule: 'unlisted', file: 'strategies/plantedUnlisted.ts', files: { 'strategies/plantedUnlisted.ts': "import 'acorn'\n" } },
    {
      rule: 'unresolved',
      file: 'strategies/plantedUnresolved.ts',
      files: { 'strategies/plantedUnresolved.ts': "import './nowhere.ts'\n" },
    },
    {
      rule: 'dependencies',
      file: 'package.json',
      says: 'planted-dependency',
      files: { 'package.json': withDependency('dependencies', 'planted-dependency') },
    },
    {
      rule: 'devDependencies',
      file: 'package.json',
      says: 'planted-dev-dependency',
      files: { 'package.json': withDependency('devDependencies', 'planted-dev-dependency') },
    },
    {
      rule: 'binaries',
      file: 'package.json',
      says: 'planted-command',
      files: { 'package.json': withScript('planted', 'planted-command --flag') },
    },
    {
      rule: 'idle-setting',
      file: 'knip.json',
      says: 'planted',
      files: { 'knip.json': (before) => before.replace('"ignoreDependencies": [', '"ignoreDependencies": ["planted", ') },
    },
  ],
  innocents: {
    'strategies/innocent.ts': "import { used } from './deep/innocent.ts'\n\nexport default used\n",
    'strategies/deep/innocent.ts': 'export interface Shape {\n  readonly one: number\n}\n\nexport const used: Shape = { one: 1 }\n',
    'src/core/innocent.test.ts': "import { test } from 'vitest'\n\ntest('one', () => {})\n",
  },
}

function withDependency(kind: 'dependencies' | 'devDependencies', name: string) {
  return (before: string) => before.replace(`"${kind}": {`, `"${kind}": {\n    "${name}": "1.0.0",`)
}

function withScript(name: string, command: string) {
  return (before: string) => before.replace('"scripts": {', `"scripts": {\n    "${name}": "${command}",`)
}
