import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openPage } from '../../src/cli/page/page.ts'
import type { Clock } from '../../src/core/clock.ts'
import { systemClock } from '../../src/core/systemClock.ts'
import { type Dashboard, openDashboard } from '../../src/dashboard/server/openDashboard.ts'
import type { Page as BuiltPage, PageFile } from '../../src/dashboard/server/page.ts'
import {
  goTo,
  type LookOptions,
  lookAt,
  NARROW,
  openBrowser,
  overflowOf,
  type Seen,
  violationsOf,
  WIDE,
} from '../support/dashboardBrowser.ts'
import { HostDesk, OTHER_PAGE } from '../support/hostDesk.ts'
import { LargeDesk, LONG_NAME } from '../support/largeDesk.ts'
import { lastingPort } from '../support/lastingPort.ts'
import { ScriptedDesk } from '../support/scriptedDesk.ts'
import { IS_LONG } from '../support/suite/long.ts'

const LIMIT_MS = 5 * 60_000
const LIVE_CONTEST = '#/bots/alice/contests/00000000-0000-4000-8000-000000000000'

let browser: Browser
let built: BuiltPage
beforeAll(async () => {
  browser = await openBrowser()
  built = await openPage({ info: () => {}, warn: (message) => expect.fail(message) })
})
afterAll(() => browser?.close())

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

interface Desk {
  readonly desk: ScriptedDesk
  readonly dashboard: Dashboard
  readonly port: number
}

const TOKEN = 'the token of this test, which is long'
interface ServeOptions {
  readonly port?: number
  readonly desk?: ScriptedDesk
  readonly page?: BuiltPage
  readonly clock?: Clock
  readonly token?: string
}

async function serve({
  port = 0,
  desk = new ScriptedDesk({ now: () => Date.now() }),
  page = built,
  clock = systemClock,
  token: value = TOKEN,
}: ServeOptions = {}): Promise<Desk> {
  const log = { info: () => {}, warn: (message: string) => expect.fail(message) }
  const token = { value, isFromUser: false }
  const dashboard = await openDashboard({ desk, operator: desk, host: '127.0.0.1', port, token, page: async () => page, log, clock })
  closers.push(() => dashboard.close())
  return { desk, dashboard, port: Number(new URL(dashboard.address).port) }
}

async function look({ dashboard }: Desk, { url = dashboard.url, ...options }: LookOptions & { readonly url?: string } = {}): Promise<Seen> {
  const seen = await lookAt(browser, url, options)
  closers.push(() => seen.context.close())
  return seen
}

/** What has the focus once what a click changes is rendered, and nothing is painted yet: a key that is pressed then goes there. */
async function focusedAfterClick(button: Focusable): Promise<string> {
  button.focus()
  button.click()
  await null
  await null
  return button.ownerDocument.activeElement.textContent
}

/** What is read of an element in the browser. */
interface Focusable {
  readonly focus: () => void
  readonly click: () => void
  readonly ownerDocument: { readonly activeElement: { readonly textContent: string } }
}

const places = [
  ['the fleet', '#/', 'Fleet'],
  ['a bot', '#/bots/carol', 'carol'],
  ['a contest', LIVE_CONTEST, 'pnl race pct'],
] as const

const EVERY_SIGHT = [
  ['1280 px, light', WIDE, 'light'],
  ['1280 px, dark', WIDE, 'dark'],
  ['380 px, light', NARROW, 'light'],
  ['380 px, dark', NARROW, 'dark'],
] as const
/** Each width and each scheme once; with `LONG_TESTS=yes` each with each. */
const SIGHTS = IS_LONG ? EVERY_SIGHT : EVERY_SIGHT.filter((_, index) => index === 0 || index === 3)

describe.each(SIGHTS)('at %s', (_name, viewport, colorScheme) => {
  test('axe finds nothing in any view or question, the console is silent, and nothing is asked of elsewhere', {
    timeout: LIMIT_MS,
  }, async () => {
    const { page, complaints } = await look(await serve(), { viewport, colorScheme })
    for (const [, hash, heading] of places) {
      await goTo(page, hash, heading)
      expect([hash, await violationsOf(page)]).toEqual([hash, []])
      const overflow = await overflowOf(page)
      expect([hash, overflow]).toEqual([hash, 0])
    }
    await goTo(page, '#/', 'Fleet')
    await page.getByRole('button', { name: 'Stop… alice' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await violationsOf(page)).toEqual([])
    expect(complaints).toEqual([])
  })
})

test.each(SIGHTS)(
  'bots of other hosts, at %s: with their hosts and the way to their pages, and how long nothing was heard',
  {
    timeout: LIMIT_MS,
  },
  async (name, viewport, colorScheme) => {
    const { page, complaints } = await look(await serve({ desk: new HostDesk({ now: () => Date.now(), bots: 4 }) }), {
      viewport,
      colorScheme,
    })
    const rows = page.locator('.bots tbody tr')
    expect(await rows.count()).toBe(4)
    const [own, theirs, silent, unheld] = await rows.locator('th').allInnerTexts()
    expect(own).not.toMatch(/on h|no word/)
    expect(theirs).toMatch(/on h2/)
    expect(theirs).not.toContain('no word')
    expect(silent).toMatch(/on h3\s*no word from h3 for 4\d s/)
    expect(unheld).toMatch(/nobody plays it: of the hosts/)
    const links = await rows
      .locator('th')
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(links).toEqual(['#/bots/alice', `${OTHER_PAGE}#/bots/bob`])
    expect(await rows.evaluateAll((all) => all.map((row) => row.classList.contains('silent')))).toEqual([false, false, true, true])
    // Contests of another host's bots are on that host's page alone.
    expect(await rows.nth(0).locator('.open a').count()).toBeGreaterThan(0)
    expect(await rows.nth(1).locator('.open a').count()).toBe(0)
    expect([await violationsOf(page), await overflowOf(page)]).toEqual([[], 0])
    if (process.env.PICTURES !== undefined) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true })
    await goTo(page, '#/bots/bob', 'bob')
    expect(await page.getByRole('link', { name: 'bob on the page of h2' }).getAttribute('href')).toBe(`${OTHER_PAGE}#/bots/bob`)
    expect([await violationsOf(page), await overflowOf(page)]).toEqual([[], 0])
    if (process.env.PICTURES !== undefined) await page.screenshot({ path: `${process.env.PICTURES}/bot ${name}.png`, fullPage: true })
    expect(complaints).toEqual([])
  },
)

test('long names and large figures fit, at any width', { timeout: LIMIT_MS }, async () => {
  const served = await serve({ desk: new LargeDesk({ now: () => Date.now() }) })
  for (const width of IS_LONG ? [320, 380, 760, 1190, 1280, 1920] : [320, 760, 1190, 1920]) {
    const { page } = await look(served, { viewport: { width, height: 800 } })
    for (const hash of ['#/', `#/bots/${LONG_NAME}`]) {
      await goTo(page, hash, hash === '#/' ? 'Fleet' : LONG_NAME)
      expect([width, hash, await overflowOf(page)]).toEqual([width, hash, 0])
    }
  }
})

test('a bot shows its modes: open, or why not, what was lost in it, and when it is tried next', { timeout: LIMIT_MS }, async () => {
  const { page } = await look(await serve())
  await goTo(page, '#/bots/carol', 'carol')
  const modes = page.getByRole('region', { name: 'Modes' })
  const row = (name: string) => modes.getByRole('row').filter({ hasText: name })
  expect(await row('draft basket').textContent()).toMatch(/MODE_CLOSED.*wanted nothing.*next trial \d.*36\.00 USDC$/)
  expect(await row('up down').textContent()).toBe('up downopen0')
})

test('no time is broken, at any width', { timeout: LIMIT_MS }, async () => {
  const served = await serve()
  for (const width of [320, 380, 1280]) {
    const { page } = await look(served, { viewport: { width, height: 800 } })
    for (const [, hash, heading] of places) {
      await goTo(page, hash, heading)
      const lines = await page.evaluate<number[]>(
        "[...document.querySelectorAll('time, .left, .when')].filter((at) => at.checkVisibility()).map((at) => new Set([...at.getClientRects()].map(({ top }) => Math.round(top))).size)",
      )
      if (hash !== '#/') expect(lines.length).toBeGreaterThan(3)
      expect([width, hash, lines.filter((count) => count > 1)]).toEqual([width, hash, []])
    }
  }
})

test('a bot’s money: what is held, at which price, what has none, and a chart that says what it plots', { timeout: LIMIT_MS }, async () => {
  const { page } = await look(await serve())
  await goTo(page, '#/bots/carol', 'carol')
  const holdings = page.getByRole('region', { name: 'Holdings' }).getByRole('row')
  expect(await holdings.nth(1).textContent()).toMatch(/^SOLof a contestSell0\.053412807187\.2\d+ s old10\.00$/)
  expect(await holdings.nth(2).textContent()).toBe('8x5V…of a contestSell120451.5–no price–not in equity')
  const now = page.getByLabel('Now', { exact: true })
  expect(await now.textContent()).toMatch(/^Equity, USDC[\d,]+\.\d{6}.* available, .* in play, .* in tokenswithout 1 unpriced/)
  const money = page.getByRole('region', { name: 'Equity and profit' })
  await money.getByRole('img', { name: /^Equity of carol from .*: now \d/ }).waitFor()
  await money.getByText('Equity, USDC').waitFor()
  await money.getByRole('button', { name: 'Profit' }).click()
  await money.getByRole('img', { name: /^Profit of carol from .*: now [+−]/ }).waitFor()
  await money.getByText('Profit, USDC').waitFor()
  await goTo(page, '#/', 'Fleet')
  await page.getByRole('img', { name: /^Equity of all bots from / }).waitFor()
})

test('contests are filtered, sorted, and saved as they are shown', { timeout: LIMIT_MS }, async () => {
  const { page, complaints } = await look(await serve())
  await goTo(page, '#/bots/alice', 'alice')
  const contests = page.getByRole('region', { name: 'Contests' })
  const rows = contests.locator('tbody tr')
  const all = await rows.count()
  await contests.getByLabel('Mode').selectOption({ label: 'best trade' })
  const some = await rows.count()
  expect([some > 0, some < all]).toEqual([true, true])
  expect(await contests.locator('output').textContent()).toBe(`${some} of ${all}`)
  await contests.getByLabel('State').selectOption({ label: 'won' })
  await contests.getByLabel('State').selectOption({ label: 'all' })
  await contests.getByRole('button', { name: 'Profit' }).click()
  const profits = async () => (await rows.locator('td:last-child').allTextContents()).map((text) => Number(text.replace('−', '-')))
  expect(await profits()).toEqual((await profits()).toSorted((a, b) => b - a))
  await contests.getByRole('button', { name: 'Profit' }).click()
  expect(await profits()).toEqual((await profits()).toSorted((a, b) => a - b))
  expect(await contests.getByRole('columnheader', { name: 'Profit' }).getAttribute('aria-sort')).toBe('ascending')
  const saving = page.waitForEvent('download')
  await contests.getByRole('button', { name: 'Export CSV' }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toBe('contests-alice.csv')
  const [header, ...lines] = parse(readFileSync(await saved.path(), 'utf8'))
  expect(header).toContain('profit_usdc')
  expect(lines.map((line) => line[1])).toEqual(Array.from({ length: some }, () => 'best_trade'))
  expect(complaints).toEqual([])
})

describe('the way in', () => {
  test('leaves no token in the address bar, in what scripts can read, or in the history', { timeout: LIMIT_MS }, async () => {
    const served = await serve()
    const { page, context } = await look(served)
    expect(page.url()).toBe(`${served.dashboard.address}#/`)
    const readable = await page.evaluate<string>(
      'JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML])',
    )
    expect(readable).not.toContain('the token of this test')
    const [cookie] = await context.cookies()
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
    await page.goBack()
    expect(page.url()).toBe('about:blank')
    await page.goto(served.dashboard.address)
    await page.getByRole('heading', { name: 'Fleet' }).waitFor()
  })

  test('is closed without the token, and with another, and says what to do', { timeout: LIMIT_MS }, async () => {
    const served = await serve()
    for (const url of [served.dashboard.address, `${served.dashboard.address}#token=another`]) {
      const { page } = await look(served, { url })
      await page.getByText('Open the address that npm start printed').waitFor()
      expect(await page.getByText('alice').count()).toBe(0)
      // That, and nothing beside it.
      expect(await page.locator('h1, p, button, a, footer').allTextContents()).toEqual([
        'This browser is not signed in',
        `${url.includes('another') ? 'The token in the address is not the one of this run. ' : ''}Open the address that npm start printed, with all that is after the #.`,
      ])
    }
  })
})

describe('what happens', () => {
  test('is seen without a reload: a contest goes from live to settled', { timeout: LIMIT_MS }, async () => {
    const served = await serve()
    const { page } = await look(served)
    await goTo(page, LIVE_CONTEST, 'pnl race pct')
    await page.getByLabel('The contest').getByText('live').waitFor()
    served.desk.settle('alice')
    await page.getByLabel('The contest').getByText('won', { exact: true }).waitFor({ timeout: 3000 })
    await page.getByLabel('The contest').getByText('+1.90').waitFor()
  })

  test('that needs a look is on top, in the title, and told to a screen reader', { timeout: LIMIT_MS }, async () => {
    const served = await serve()
    const { page } = await look(served)
    const first = page.locator('main section').first()
    expect(await first.getByRole('heading').textContent()).toBe('Needs a look')
    expect(await first.getByRole('listitem').first().textContent()).toMatch(/^carolAlarm/)
    expect(await page.title()).toBe('(2) Fleet · Cornerman')
    served.desk.heal()
    await page.getByText('All bots are well.').waitFor({ timeout: 3000 })
    expect(await page.getByRole('status').textContent()).toBe('bob is well again. carol is well again.')
    expect(await page.title()).toBe('Fleet · Cornerman')
  })

  test('a day of it makes the page no larger', { timeout: LIMIT_MS }, async () => {
    // A clock that runs fifty times as fast: fifty changes a second.
    const start = Date.now()
    const clock: Clock = {
      now: () => start + (Date.now() - start) * 50,
      at: (atMs, task) => systemClock.at(start + (atMs - start) / 50, task),
    }
    const served = await serve({ clock })
    const { page, context } = await look(served)
    await goTo(page, '#/bots/alice', 'alice')
    const client = await context.newCDPSession(page)
    const size = async () => {
      await client.send('HeapProfiler.collectGarbage')
      const { usedSize } = await client.send('Runtime.getHeapUsage')
      return { usedSize, nodes: await page.evaluate<number>("document.querySelectorAll('*').length") }
    }
    const beat = async (changes: number) => {
      for (let step = 0; step < changes; step++) {
        served.desk.tick('alice')
        await page.waitForTimeout(20)
      }
    }
    // Until all of it is compiled.
    await beat(300)
    const before = await size()
    await beat(400)
    const after = await size()
    expect(after.nodes).toBe(before.nodes)
    expect(after.usedSize - before.usedSize).toBeLessThan(1_000_000)
  })
})

describe('the switches', () => {
  test('ask before anything is done, and then the operator hears it, and it is seen', { timeout: LIMIT_MS }, async () => {
    const served = await serve()
    const { page } = await look(served)
    const kill = page.getByRole('button', { name: 'Kill switch all bots' })
    expect(await kill.evaluate(focusedAfterClick), 'before anything is painted').toBe('Cancel')
    const dialog = page.getByRole('dialog', { name: 'Kill switch: all bots' })
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(served.desk.said).toEqual([])
    expect(await kill.and(page.locator(':focus')).count()).toBe(1)

    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Stop everything' }).click()
    await page.locator('header .stopped.all').waitFor({ timeout: 1000 })
    expect(served.desk.said).toEqual([{ command: 'stopAll', bot: undefined }])
    expect(await kill.getAttribute('aria-disabled')).toBe('true')
    expect(await kill.and(page.locator(':focus')).count()).toBe(1)
    await page.getByRole('status').filter({ hasText: 'All bots: Kill switch on.' }).waitFor()

    await page.getByRole('button', { name: 'Resume all bots' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click()
    await page.locator('header .stopped.nothing').waitFor({ timeout: 1000 })
    expect(served.desk.said.at(-1)).toEqual({ command: 'resume', bot: undefined })
  })

  test('of one bot are for that one alone', { timeout: LIMIT_MS }, async () => {
    const served = await serve()
    const { page } = await look(served)
    await page.getByRole('button', { name: 'Stop… alice' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop entries' }).click()
    await page.getByRole('row', { name: /alice/ }).getByText('Entries stopped').waitFor({ timeout: 1000 })
    expect(served.desk.said).toEqual([{ command: 'stopEntries', bot: 'alice' }])
    await goTo(page, '#/bots/bob', 'bob')
    expect(await page.locator('main .stopped').textContent()).toBe('Playing')
  })

  test('say of one bot that plays on only when all do', { timeout: LIMIT_MS }, async () => {
    const served = await serve()
    served.desk.say('stopAll', undefined)
    const { page } = await look(served)
    await page.getByRole('button', { name: 'Resume… alice' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Resume' }).click()
    expect(await page.getByRole('alert').textContent()).toBe('It was said, but all bots are still stopped.')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  test('say when it was not done', { timeout: LIMIT_MS }, async () => {
    const served = await serve()
    const { page } = await look(served)
    await page.getByRole('button', { name: 'Stop entries all bots' }).click()
    await served.dashboard.close()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop entries' }).click()
    expect(await page.getByRole('alert').textContent()).toMatch(/^It was not done/)
  })
})

describe('what is open', () => {
  const cancel = { bot: 'alice', order: { type: 'cancelTicket', ticketId: 'ticket-0' } }

  test('can be taken back once it was confirmed, and once', { timeout: LIMIT_MS }, async () => {
    const served = await serve()
    const { page } = await look(served)
    expect(await page.getByRole('button', { name: /^Cancel the ticket/ }).count(), 'in the fleet there is no room').toBe(0)
    await goTo(page, '#/bots/alice', 'alice')
    const button = page.getByRole('button', { name: 'Cancel the ticket for draft basket?' })
    expect(await button.evaluate(focusedAfterClick), 'before anything is painted').toBe('Keep it')
    const dialog = page.getByRole('dialog', { name: 'alice: Cancel the ticket for draft basket?' })
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(served.desk.ordered).toEqual([])
    await button.click()
    await dialog.getByRole('button', { name: 'Cancel' }).dblclick()
    await dialog.waitFor({ state: 'detached' })
    expect(served.desk.ordered).toEqual([cancel])
  })

  test('says in one sentence why it could not be', { timeout: LIMIT_MS }, async () => {
    const served = await serve()
    served.desk.answers.push({ isDone: false, message: 'ticket ticket-0 is not an open ticket of this bot (NOT_IN_CONTEST)' })
    const { page } = await look(served, { viewport: NARROW })
    await goTo(page, '#/bots/alice', 'alice')
    await page.getByRole('button', { name: /^Cancel the ticket/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    const said = 'It was not done: ticket ticket-0 is not an open ticket of this bot (NOT_IN_CONTEST).'
    expect(await page.getByRole('alert').textContent()).toBe(said)
    expect(await overflowOf(page)).toBe(0)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    expect(served.desk.ordered).toEqual([cancel])
  })
})

describe('a server that went away', () => {
  const serveAndReturn = async () => serve({ port: await lastingPort() })

  test('is said, and when it is back the page shows what it missed', { timeout: LIMIT_MS }, async () => {
    const served = await serveAndReturn()
    const { page, complaints } = await look(served)
    await goTo(page, '#/bots/alice', 'alice')
    await served.dashboard.close()
    await page.locator('.banner').getByText('Connection lost, trying again').waitFor({ timeout: 5000 })
    expect(await page.getByRole('heading', { level: 1, name: 'alice' }).count()).toBe(1)
    served.desk.say('stopAll', 'alice')
    served.desk.settle('alice')
    await serve({ port: served.port, desk: served.desk })
    await page.locator('.banner').waitFor({ state: 'detached', timeout: 10_000 })
    expect(await page.locator('main .stopped').textContent()).toBe('Kill switch on')
    expect(await page.getByText('57 contests settled').count()).toBe(1)
    expect(complaints).toEqual([])
  })

  test('and comes back with another token is said, and with the old one it is seen again', { timeout: LIMIT_MS }, async () => {
    const served = await serveAndReturn()
    const { page } = await look(served)
    const restart = async (token: string) => {
      return serve({ port: served.port, desk: served.desk, token })
    }
    await served.dashboard.close()
    const other = await restart('another token of the next start')
    await page.getByRole('heading', { name: 'This browser is not signed in' }).waitFor({ timeout: 10_000 })
    await other.dashboard.close()
    await restart(TOKEN)
    await page.locator('.banner').waitFor({ state: 'detached', timeout: 10_000 })
    await page.getByRole('heading', { name: 'Fleet' }).waitFor()
  })

  test('and comes back with another page is read by that one', { timeout: LIMIT_MS }, async () => {
    const served = await serveAndReturn()
    const { page } = await look(served)
    await page.evaluate("document.body.dataset.age = 'old'")
    await served.dashboard.close()
    const newer = { ...built.get('/'), tag: '"newer"' } as PageFile
    await serve({ port: served.port, desk: served.desk, page: new Map([...built, ['/', newer]]) })
    await page.locator('body:not([data-age])').waitFor({ timeout: 10_000 })
    await page.getByRole('heading', { name: 'Fleet' }).waitFor()
  })
})

describe('the keyboard', () => {
  test('skips to the content, and the heading of the next place is where one is then', { timeout: LIMIT_MS }, async () => {
    const { page } = await look(await serve())
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('carol')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'carol' }).waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
  })

  test('changes the theme, which stays', { timeout: LIMIT_MS }, async () => {
    const { page } = await look(await serve())
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    const light = await ground()
    await page.getByLabel('Theme').selectOption('dark')
    const dark = await ground()
    expect(dark).not.toBe(light)
    await page.reload()
    await page.locator('h1').first().waitFor()
    expect(await ground()).toBe(dark)
  })
})

describe('its weight', () => {
  test('is under 200 kB of script, compressed, and the first paint waits for under 20 kB', { timeout: LIMIT_MS }, async () => {
    const weightOf = (isCounted: (path: string) => boolean) =>
      [...built].filter(([path]) => isCounted(path)).reduce((sum, [, { compressed }]) => sum + compressed.length, 0)
    const script = weightOf((path) => path.endsWith('.js'))
    expect(script).toBeGreaterThan(10_000)
    expect(script).toBeLessThan(200_000)
    // Modules run after it, whatever they weigh.
    const first = weightOf((path) => path === '/' || path.endsWith('.css'))
    expect(first).toBeGreaterThan(1000)
    expect(first).toBeLessThan(20_000)
    const { page } = await look(await serve())
    const painted = await page.evaluate<number>("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    expect(painted).toBeGreaterThan(0)
    console.log(`script ${script} bytes compressed, first paint ${first} bytes, after ${Math.round(painted)} ms`)
  })
})
