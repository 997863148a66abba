import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
export const PAGE = join(ROOT, 'src/dashboard/page')
export const BUILT = join(PAGE, 'dist')
/** In the built page: what it was built from. */
export const STAMP = 'stamp'

/** What the page is made of; the lock file stands for the libraries in it. */
const SOURCES = [
  'src/dashboard/page',
  'src/dashboard/stream',
  // Of these the page has types alone by now; dependency-cruiser lets it have values, too.
  ...['src/dashboard/watch/views.ts', 'src/contract/enums.ts'],
  ...['src/core/tokens.ts', 'src/core/formatUnits.ts', 'src/cli/page/buildPage.ts', 'package-lock.json'],
]

/** Names the sources of the page by their content: times change with every checkout. */
export function pageStamp(): string {
  const digest = createHash('sha256')
  for (const source of SOURCES) for (const file of filesOf(source)) digest.update(`${file}\n`).update(readFileSync(join(ROOT, file)))
  return digest.digest('hex')
}

function filesOf(source: string): string[] {
  if (/\.\w+$/.test(source)) return [source]
  return readdirSync(join(ROOT, source), { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('dist') && !/\.test\.tsx?$/.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesOf(`${source}/${entry.name}`) : [`${source}/${entry.name}`]))
}
