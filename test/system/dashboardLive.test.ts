import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdDecompressSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lookAt, openBrowser } from '../support/dashboardBrowser.ts'
import { type CornermanRun, runCornerman } from '../support/runCornerman.ts'

// The owner's desk over a real `npm start`: real bots on the sandbox, a real browser.

const LIMIT_MS = 4 * 60_000

let browser: Browser
const folder = mkdtempSync(join(tmpdir(), 'dashboard-'))
const runs: CornermanRun[] = []
/** Of each page that was opened. */
const complaints: (readonly string[])[] = []

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  for (const { child } of runs) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** @returns the address with its token, as the owner has it from the file */
async function start(...args: readonly string[]): Promise<{ run: CornermanRun; url: string }> {
  const run = runCornerman(['start', '--data-dir', folder, '--port', '0', ...args])
  runs.push(run)
  await run.logged(({ msg }) => msg.startsWith('dashboard: http://'))
  return { run, url: readFileSync(join(folder, 'dashboard.url'), 'utf8').trim() }
}

async function open(url: string): Promise<Page> {
  const seen = await lookAt(browser, url)
  complaints.push(seen.complaints)
  await seen.page.getByRole('heading', { level: 1, name: 'Fleet' }).waitFor()
  return seen.page
}

/** Every text that a run left behind or said: what a secret could be in. */
function everythingOf(run: CornermanRun): string {
  const recordings = join(folder, 'recordings')
  const files = readdirSync(recordings, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const texts = files.map(({ parentPath, name }) => {
    const bytes = readFileSync(join(parentPath, name))
    return (name.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes).toString('latin1')
  })
  expect(texts.length).toBeGreaterThan(1)
  return [run.stdout(), run.stderr(), ...texts].join('\n')
}

/** Keys of the agents, salts of predictions, and the token of the page. */
function secrets(token: string): string[] {
  const { agents } = JSON.parse(readFileSync(join(folder, 'sandbox.run.json'), 'utf8')) as { agents: readonly { key: string }[] }
  return [token, ...agents.map(({ key }) => key)]
}

describe('the desk over npm start', () => {
  test('a contest goes from open to settled on the page; the kill switch stops entries within a second, and outlives a restart; nothing secret is anywhere', {
    timeout: LIMIT_MS,
  }, async () => {
    const { run, url } = await start()
    const token = new URL(url).hash.slice('#token='.length)
    const known = secrets(token)
    const page = await open(url)

    // The first bot's first live contest, followed to its end on its own page.
    await page.goto(new URL('#/bots/bob', url).href)
    await page.getByRole('heading', { level: 1, name: 'bob' }).waitFor()
    const link = page.locator('main a[href^="#/bots/bob/contests/"]').first()
    const place = await link.getAttribute('href')
    await page.evaluate(`location.hash = ${JSON.stringify(place)}`)
    const contest = page.getByLabel('The contest')
    await contest
      .getByText('live', { exact: true })
      .or(contest.getByText('open', { exact: true }))
      .first()
      .waitFor()
    await contest
      .getByText(/^(?:won|lost|drawn|refunded)$/)
      .first()
      .waitFor({ timeout: 90_000 })
    expect(page.url()).toContain(place ?? 'nothing')
    const seen = [await page.content()]
    // Nor is a salt anywhere: there has to be one.
    await expect.poll(() => everythingOf(run).includes('commitPrediction'), { timeout: 120_000, interval: 1000 }).toBe(true)

    // The kill switch: what was entered after it was asked for, with a second of grace?
    await page.evaluate("location.hash = '#/'")
    await page.getByRole('heading', { level: 1, name: 'Fleet' }).waitFor()
    await page.getByRole('button', { name: 'Kill switch all bots' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop everything' }).click()
    const saidAt = Date.now()
    await page.locator('header .stopped.all').waitFor({ timeout: 1000 })
    expect(JSON.parse(readFileSync(join(folder, 'control.json'), 'utf8'))).toMatchObject({ state: 'stopped' })
    await page.waitForTimeout(6000)
    seen.push(await page.content())
    for (const path of ['/metrics', '/health']) seen.push(await (await fetch(new URL(path, url))).text())
    expect((await fetch(new URL('/health', url))).status).toBe(503)

    const readable = everythingOf(run)
    run.child.kill('SIGKILL')
    await run.exited
    expect(entriesAfter(saidAt + 1000), 'entries a second after the switch').toEqual([])
    expect(entriesAfter(0).length, 'entries in all').toBeGreaterThan(3)
    for (const salt of salts()) known.push(salt)
    expect(known.length, 'secrets to look for').toBeGreaterThan(3)
    for (const secret of known) {
      expect(readable.includes(secret), `a secret in logs or recordings`).toBe(false)
      for (const text of seen) expect(text.includes(secret), 'a secret on the page, in metrics or in health').toBe(false)
    }

    // The same page, the same token: after the kill the switch still holds.
    const again = await start('--for', '4s', '--json')
    const later = await open(again.url)
    await later.locator('header .stopped.all').waitFor({ timeout: 5000 })
    await again.run.exited
    expect(entriesAfter(saidAt + 1000), 'entries after the restart').toEqual([])
    expect(complaints.flat()).toEqual([])
  })

  test('a site elsewhere, another host and no token are turned away by the real server', { timeout: LIMIT_MS }, async () => {
    const { run, url } = await start('--for', '8s')
    const at = new URL('/', url).href
    const post = (path: string, headers: Record<string, string>, body: unknown) =>
      fetch(new URL(path, at), { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })
    const origin = new URL(at).origin
    expect(
      (await post('/operator', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, { command: 'resume' })).status,
    ).toBe(403)
    expect((await post('/operator', { origin }, { command: 'resume' })).status).toBe(401)
    expect((await post('/session', { origin }, { token: 'a guess of the token' })).status).toBe(401)
    expect((await fetch(new URL('/stream?view=fleet', at))).status).toBe(401)
    expect(JSON.parse(readFileSync(join(folder, 'control.json'), 'utf8'))).toMatchObject({ state: 'stopped' })
    run.child.kill('SIGKILL')
    await run.exited
  })
})

const BOTS = ['alice', 'bob']
const ENTRIES = /^(?:enqueue|joinContest|createContest)$/

/** Entries approved after a time, by the journals of both bots. */
function entriesAfter(atMs: number): readonly string[] {
  return BOTS.flatMap((bot) =>
    rowsOf<{ at: number; action: string }>(bot, 'SELECT at, action FROM intents')
      .map(({ at, action }) => ({ at, type: (JSON.parse(action) as { type: string }).type }))
      .filter(({ at, type }) => at > atMs && ENTRIES.test(type))
      .map(({ at, type }) => `${bot}: ${type}, ${at - atMs} ms after`),
  )
}

const salts = (): readonly string[] =>
  BOTS.flatMap((bot) => rowsOf<{ salt: string }>(bot, 'SELECT salt FROM custody').map(({ salt }) => salt))

function rowsOf<T>(bot: string, sql: string): readonly T[] {
  const journal = new DatabaseSync(join(folder, 'bots', `${bot}.db`), { readOnly: true })
  try {
    return journal.prepare(sql).all() as T[]
  } finally {
    journal.close()
  }
}
