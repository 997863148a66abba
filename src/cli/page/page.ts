import { existsSync, readFileSync } from 'node:fs'
import { messageOf } from '../../core/error.ts'
import { type DashboardLog, type Page, pageOf, plainPage } from '../../dashboard/index.ts'

/** The page as the package brings it: its files by path, as entries of a map. */
const BUILT = new URL('./built.json', import.meta.url)

/**
 * The dashboard's page: as it was built for the package, or made of its sources in the clone. Bots play without it: where it cannot be
 * made, one page says so in its place.
 */
export async function openPage(log: DashboardLog): Promise<Page> {
  try {
    if (existsSync(BUILT)) return await pageOf(new Map(JSON.parse(readFileSync(BUILT, 'utf8')) as [string, string][]))
    const { buildPage } = await import('./buildPage.ts')
    return await pageOf(await buildPage())
  } catch (thrown) {
    log.warn(`dashboard: the page could not be made; the bots play without it: ${messageOf(thrown)}`)
    return plainPage('The page could not be made: the log says why. Run npm install, and start again.')
  }
}
