import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildPage } from '../src/cli/page/buildPage.ts'
import { ROOT } from '../src/cli/root.ts'
import { BUILT_FROM, hashOfSources } from '../src/fleet/framework.ts'

/** Files that are read as they are: data, what browsers run, the templates of strategies, and what a folder of bots begins with. */
const ASSETS = [
  'sandbox/data/*',
  'backtest/report/browser/*',
  'optimize/report/browser/*',
  'charts/*',
  'cli/runs/templates/*',
  'cli/runs/init/scaffold/*',
  'contract/*.json',
]

/**
 * Makes the JavaScript of `src/`: each module with its declarations, file for file, the assets beside them, and the dashboard's page as
 * browsers get it, so that nothing is compiled where the package is installed.
 *
 * @param dist the folder it is made in, anew
 * @throws {Error} what TypeScript or the page's sources are wrong in
 */
export async function build(dist: string): Promise<void> {
  rmSync(dist, { recursive: true, force: true })
  const tsc = [join(ROOT, 'node_modules/typescript/bin/tsc'), '--project', join(ROOT, 'tsconfig.build.json'), '--outDir', dist]
  // What is packed goes to stdout.
  execFileSync(process.execPath, tsc, { cwd: ROOT, stdio: ['ignore', 2, 2] })
  for (const file of globSync(ASSETS, { cwd: join(ROOT, 'src') })) {
    mkdirSync(dirname(join(dist, file)), { recursive: true })
    cpSync(join(ROOT, 'src', file), join(dist, file))
  }
  writeFileSync(join(dist, 'cli/page/built.json'), JSON.stringify([...(await buildPage())]))
  writeFileSync(join(dist, BUILT_FROM), `${hashOfSources(join(ROOT, 'src'))}\n`)
  chmodSync(join(dist, 'cli/cornerman.js'), 0o755)
}
