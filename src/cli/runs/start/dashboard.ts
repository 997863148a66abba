import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../../core/clock.ts'
import {
  checkToken,
  type Dashboard,
  type Desk,
  type Operator,
  openDashboard,
  type Page,
  type Route,
  TOKEN_VARIABLE,
} from '../../../dashboard/index.ts'
import { readRunNotes } from '../../control.ts'
import type { Logger } from '../../log.ts'
import { openPage } from '../../page/page.ts'

const TOKEN_BYTES = 24
const TOKEN = /^[0-9a-f]{48}$/

export interface DashboardSettings {
  readonly host: string
  readonly port: number
  readonly token: { readonly value: string; readonly isFromUser: boolean }
  readonly page: () => Promise<Page>
}

export interface PrepareOptions {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  readonly log: Logger
}

/**
 * Whether the dashboard may listen there, before anything is started.
 *
 * @throws CornermanError `DASHBOARD_TOKEN_MISSING`, `DASHBOARD_TOKEN_SHORT`
 */
export function checkDashboard(host: string): void {
  const value = userToken()
  checkToken({ host, token: value === undefined ? { value: 'x'.repeat(2 * TOKEN_BYTES), isFromUser: false } : { value, isFromUser: true } })
}

/** What the dashboard needs before the bots play. */
export function prepareDashboard({ host, port, dataDir, log }: PrepareOptions): DashboardSettings {
  const fromUser = userToken()
  const token = fromUser === undefined ? { value: keptToken(dataDir), isFromUser: false } : { value: fromUser, isFromUser: true }
  return { host, port, token, page: () => openPage(log) }
}

function userToken(): string | undefined {
  const value = process.env[TOKEN_VARIABLE]
  return value === '' ? undefined : value
}

export interface ServeOptions {
  readonly desk: Desk
  readonly operator: Operator
  readonly routes: readonly Route[]
  readonly clock: Clock
  readonly log: Logger
  readonly dataDir: string
}

/**
 * Opens the dashboard, and says where. The log has its address without the token, which stands in a file that only its owner reads.
 *
 * @throws CornermanError `DASHBOARD_PORT`
 */
export async function serveDashboard(settings: DashboardSettings, options: ServeOptions): Promise<Dashboard> {
  const { log, dataDir } = options
  const dashboard = await openDashboard({ ...settings, ...options })
  const file = join(dataDir, 'dashboard.url')
  const { isFromUser } = settings.token
  // A dry run beside the bots, or a second start that is about to be refused, must not take their address away.
  const isBesideOthers = readRunNotes(dataDir).some(({ pid }) => pid !== process.pid)
  if (!isBesideOthers) writePrivate(file, `${isFromUser ? dashboard.address : dashboard.url}\n`)
  const withToken = isBesideOthers ? `its token is in ${tokenFile(dataDir)}` : `with its token: ${file}`
  log.info(`dashboard: ${dashboard.address} (${isFromUser ? `it asks for the token of ${TOKEN_VARIABLE}` : withToken})`)
  return dashboard
}

const tokenFile = (dataDir: string) => join(dataDir, 'dashboard.token')

/** A token of its own for each data directory, kept there: a page that is open outlives a restart. */
function keptToken(dataDir: string): string {
  const file = tokenFile(dataDir)
  try {
    const kept = readFileSync(file, 'utf8').trim()
    if (TOKEN.test(kept)) return kept
  } catch {
    // None was made yet, or it cannot be read: a new one is as good.
  }
  const made = randomBytes(TOKEN_BYTES).toString('hex')
  mkdirSync(dataDir, { recursive: true })
  writePrivate(file, `${made}\n`)
  return made
}

const writePrivate = (file: string, text: string): void => writeFileSync(file, text, { mode: 0o600 })

/** Where browsers of other machines find it, where they can reach it at all. */
export function pageOfHost(address: string): string {
  const url = new URL(address)
  if (url.hostname !== '0.0.0.0' && url.hostname !== '[::]') return address
  const own = Object.values(networkInterfaces()).flatMap((one) => one ?? [])
  url.hostname = own.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1'
  return url.href
}
