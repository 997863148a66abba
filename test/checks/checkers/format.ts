import { scanWithBiome } from '../biome.ts'
import type { Checker } from '../checker.ts'

/** The layout of every file, by Biome. `npm run format` puts it right. */
export const format: Checker = {
  name: 'format',
  counts: 'files',
  scan: async (tree) => {
    const { scanned, findings } = await scanWithBiome(tree, 'format')
    return { scanned, findings: findings.map((finding) => ({ ...finding, message: 'not in the house format: run npm run format' })) }
  },
  plants: [
    { rule: 'format', file: 'src/core/plantedSemicolon.ts', files: { 'src/core/plantedSemicolon.ts': 'export const one = 1;\n' } },
    { rule: 'format', file: 'test/plantedQuotes.test.ts', files: { 'test/plantedQuotes.test.ts': 'export const text = "text"\n' } },
    { rule: 'format', file: 'bench/plantedIndent.ts', files: { 'bench/plantedIndent.ts': 'export const list = [\n    1, // one\n]\n' } },
    { rule: 'format', file: 'strategies/plantedArrow.ts', files: { 'strategies/plantedArrow.ts': 'export const same = x => x\n' } },
    { rule: 'format', file: 'planted.json', files: { 'planted.json': '{"a":    1}\n' } },
  ],
  innocents: {
    'src/core/innocent.ts': `export const wide = ['${'x'.repeat(110)}', 'y']\nexport const list = [\n  1, // one\n  2,\n]\n`,
  },
}
