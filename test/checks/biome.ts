import { z } from 'zod'
import type { Scan } from './checker.ts'
import { scanWith } from './tool.ts'
import type { Tree } from './tree.ts'

const reportSchema = z.looseObject({
  summary: z.looseObject({ changed: z.int(), unchanged: z.int(), errors: z.int(), warnings: z.int(), infos: z.int() }),
  diagnostics: z.array(
    z.looseObject({
      category: z.string(),
      message: z.string(),
      location: z.looseObject({ path: z.string(), start: z.looseObject({ line: z.int() }) }),
    }),
  ),
})

/** Biome's JSON report may change form between its patch releases, so Biome is pinned and the form is checked. */
export function scanWithBiome(tree: Tree, command: 'format' | 'lint'): Promise<Scan> {
  const args = [command, '--reporter=json', '--max-diagnostics=none', '--error-on-warnings', '.']
  return scanWith(tree, { package: '@biomejs/biome', command: 'biome', args }, ({ stdout }) => {
    const { summary, diagnostics } = reportSchema.parse(JSON.parse(stdout))
    return {
      scanned: summary.changed + summary.unchanged,
      findings: diagnostics.map(({ category, message, location }) => ({
        file: location.path,
        line: location.start.line,
        rule: category,
        message,
      })),
    }
  })
}
