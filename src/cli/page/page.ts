import { messageOf } from '../../core/error.ts'
import { type DashboardLog, type Page, pageOf, plainPage } from '../../dashboard/index.ts'

/** The dashboard's page. Bots play without it: where it cannot be made, one page says so in its place. */
export async function openPage(log: DashboardLog): Promise<Page> {
  try {
    const { buildPage } = await import('./buildPage.ts')
    return await pageOf(await buildPage())
  } catch (thrown) {
    log.warn(`dashboard: the page could not be made; the bots play without it: ${messageOf(thrown)}`)
    return plainPage('The page could not be made: the log says why. Run npm install, and start again.')
  }
}
