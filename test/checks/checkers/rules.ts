import { relative } from 'node:path'
import { z } from 'zod'
import type { Checker, Plant } from '../checker.ts'
import { scanWith } from '../tool.ts'
import {
  allowedAnywhere,
  bannedAnywhere,
  bannedComparisons,
  bannedOutsideTheEdge,
  bannedRetries,
  bannedToListeners,
  boundedRetries,
  browserBans,
  everyBan,
  exhaustiveTable,
} from './rulesSources.ts'

const reportSchema = z.array(
  z.looseObject({
    filePath: z.string(),
    messages: z.array(z.looseObject({ ruleId: z.string().nullable(), line: z.int().optional(), message: z.string() })),
  }),
)

const OUTSIDE = ['src/core', 'src/contract', 'src/strategy', 'src/guard', 'src/contests', 'src/pipeline', 'src/recording']
const ALSO_OUTSIDE = [
  'src/backtest',
  'src/testing',
  'src/testing/conformance',
  'src/dashboard',
  'src',
  'strategies',
  'src/core/cli',
  'src/contests/live',
]
const EDGE = ['src/live', 'src/sandbox', 'src/cli', 'src/live/deep/er']

const plantsOf = (folder: string, sources: Readonly<Record<string, readonly string[]>>): Plant[] =>
  Object.entries(sources).flatMap(([rule, codes]) =>
    codes.map((code, index) => {
      const file = `${folder}/planted-${rule.replace('/', '-')}-${index}.ts`
      return { rule, file, files: { [file]: code } }
    }),
  )

/** ESLint: the three rules that need types, and the ban on clocks, chance, environment and network outside the edge. */
export const rules: Checker = {
  name: 'rules',
  counts: 'files',
  scan: (tree) =>
    scanWith(tree, { package: 'eslint', command: 'eslint', args: ['--format', 'json', '--max-warnings', '0', '.'] }, ({ stdout }) => {
      const results = reportSchema.parse(JSON.parse(stdout))
      return {
        scanned: results.length,
        findings: results.flatMap(({ filePath, messages }) =>
          messages.map(({ ruleId, line, message }) => ({
            file: relative(tree.root, filePath).replaceAll('\\', '/'),
            line,
            rule: ruleId ?? 'eslint',
            message,
          })),
        ),
      }
    }),
  plants: [
    ...plantsOf('src/core', bannedOutsideTheEdge),
    ...plantsOf('src/live', bannedAnywhere),
    ...plantsOf('test/system', bannedAnywhere),
    ...[...OUTSIDE, ...ALSO_OUTSIDE].flatMap((folder) =>
      plantsOf(folder, { 'no-restricted-properties': ['export const now = Date.now()'] }),
    ),
    // A server that listens has the network, and nothing else of the edge; the page's freedom ends at its folder.
    ...['src/http', 'src/dashboard/server'].flatMap((folder) =>
      plantsOf(folder, { ...bannedOutsideTheEdge, 'no-restricted-imports': bannedToListeners }),
    ),
    ...plantsOf('src/dashboard/stream', { 'no-restricted-globals': ['export const banned = EventSource\n'] }),
    ...plantsOf('src/dashboard/page', bannedAnywhere),
    ...['src/pipeline', 'src/probe/find', 'src/dashboard/page', 'src/cli/runs'].flatMap((folder) => plantsOf(folder, bannedComparisons)),
    ...['src/live/market', 'src/live/swaps/deep', 'src/live/tokens', 'src/pipeline/swaps'].flatMap((folder) =>
      plantsOf(folder, bannedRetries),
    ),
    { rule: 'no-restricted-globals', file: 'bots.config.ts', files: { 'bots.config.ts': 'export default process.env.KEY\n' } },
  ],
  innocents: Object.fromEntries([
    ...[...EDGE, 'test', 'bench'].map((folder) => [`${folder}/innocent.ts`, everyBan]),
    ['src/core/innocent.test.ts', everyBan],
    ['site/media/made.ts', everyBan],
    ['src/http/innocent.ts', "export * from 'node:http'\n"],
    ['src/dashboard/server/innocent.ts', "export * from 'node:http'\n"],
    ['src/dashboard/page/innocent.tsx', browserBans],
    ['src/core/systemClock.ts', everyBan],
    ['src/testing/conformance/watchedGlobals.ts', everyBan],
    ['src/core/innocent.ts', allowedAnywhere],
    ['src/live/market/innocent.ts', boundedRetries],
    ['src/pipeline/innocent.ts', exhaustiveTable],
  ]),
}
