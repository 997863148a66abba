import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

const CHROMIUM = process.env.CORNERMAN_CHROMIUM ?? '/usr/bin/chromium'
export const WIDE = { width: 1280, height: 860 }
export const NARROW = { width: 380, height: 780 }

// Code for the page is text: this is compiled for Node.
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

/** What a browser says of a server that is gone is no fault of the page's. */
const EXPECTED = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE/

/** @throws where there is no Chromium: a missing tool is no reason to be green */
export function openBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM))
    throw new Error(`there is no Chromium at ${CHROMIUM}: apt-get install chromium, or name another in CORNERMAN_CHROMIUM`)
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
}

export interface LookOptions {
  readonly viewport?: { readonly width: number; readonly height: number }
  readonly colorScheme?: 'light' | 'dark'
}

export interface Seen {
  readonly page: Page
  readonly context: BrowserContext
  /** What the console said, and every request to elsewhere. */
  readonly complaints: readonly string[]
}

/** Opens the dashboard as the owner does, in a browser that knows nothing yet. */
export async function lookAt(browser: Browser, url: string, { viewport = WIDE, colorScheme = 'light' }: LookOptions = {}): Promise<Seen> {
  const context = await browser.newContext({ viewport, colorScheme })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (!EXPECTED.test(message.text())) complaints.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin) complaints.push(`request to ${request.url()}`)
  })
  await page.goto(url)
  await page.locator('h1').first().waitFor()
  return { page, context, complaints }
}

/** Goes to a place of the page, and waits for its heading. */
export async function goTo(page: Page, hash: string, heading: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
}

/** What axe has against what is to be seen now. */
export async function violationsOf(page: Page): Promise<string[]> {
  // By the protocol, past the page's policy, which lets no script in.
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run()')
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}

/** By how much the page is wider than the window. */
export const overflowOf = (page: Page): Promise<number> => page.evaluate<number>(OVERFLOW)
