import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { messageOf } from '../../core/error.ts'
import { type DashboardLog, type Page, plainPage, readPage } from '../../dashboard/index.ts'
import { BUILT, pageStamp, STAMP } from './pageStamp.ts'

/**
 * The dashboard's page, built first where it is missing or older than its sources. Bots play without it: where it cannot be
 * built, one page says so in its place.
 */
export async function openPage(log: DashboardLog): Promise<Page> {
  try {
    if (builtStamp() !== pageStamp()) {
      log.info('dashboard: building the page, which is missing or older than its sources')
      await buildPage()
    }
    return await readPage(BUILT)
  } catch (thrown) {
    log.warn(`dashboard: the page could not be built; the bots play without it: ${messageOf(thrown)}`)
    return plainPage('The page could not be built. Run npm install, then npm run build:page, and start again.')
  }
}

function builtStamp(): string | undefined {
  try {
    return readFileSync(join(BUILT, STAMP), 'utf8')
  } catch {
    return undefined
  }
}

async function buildPage(): Promise<void> {
  const script = fileURLToPath(new URL('./buildPage.ts', import.meta.url))
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 'pipe'] })
  // Another start may build it too: whoever comes second has it all the same.
  const [[exitCode], problem] = await Promise.all([once(child, 'close') as Promise<[number | null]>, text(child.stderr)])
  if (exitCode !== 0 && builtStamp() !== pageStamp()) throw new Error(problem.trim().slice(-500) || `the build ended with ${exitCode}`)
}
