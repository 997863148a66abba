import { scanWithBiome } from '../biome.ts'
import type { Checker } from '../checker.ts'

const violations: Readonly<Record<string, string>> = {
  'suspicious/noExplicitAny': 'export const loose = (value: any) => value\n',
  'suspicious/noTsIgnore': '// @ts-ignore\nexport const one: string = 1\n',
  'suspicious/noDoubleEquals': 'export const isOne = (value: unknown) => value == 1\n',
  'suspicious/noFocusedTests': "import { test } from 'vitest'\n\ntest.only('one', () => {})\n",
  'suspicious/noSkippedTests': "import { test } from 'vitest'\n\ntest.skip('one', () => {})\n",
  'style/noNonNullAssertion': 'export const first = (values: string[]) => values[0]!\n',
  'style/useNodejsImportProtocol': "export { createHash } from 'crypto'\n",
  'style/useImportType': "import { z } from 'zod'\n\nexport type Schema = z.ZodType\n",
  'correctness/noUnusedVariables': 'const one = 1\n',
  'correctness/noUnusedImports': "import { z } from 'zod'\n",
}

/** Biome's recommended rules and the ones biome.json adds. */
export const lint: Checker = {
  name: 'lint',
  counts: 'files',
  scan: (tree) => scanWithBiome(tree, 'lint'),
  plants: Object.entries(violations).map(([rule, source]) => {
    const file = `src/core/planted-${rule.split('/')[1]}.test.ts`
    return { rule: `lint/${rule}`, file, files: { [file]: source } }
  }),
  innocents: { 'src/core/innocent.ts': 'export const first = (values: string[]) => values[0] ?? 1\n' },
}
