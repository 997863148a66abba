// `node bench/dashboard.ts`: what an open page costs the bots' process. 200 bots that change four times a second each, in a
// process of its own; Chromium opens the fleet, a bot and a contest. What the script of the bots takes is counted too.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const BOTS = 200
const CHANGES_PER_SECOND = 4
const FOR_MS = 20_000
/** What opening a page takes is over. */
const SETTLE_MS = 5000
/** Linux counts the time of a process in hundredths of a second. */
const TICKS_PER_SECOND = 100
const BAR = 0.05
const CHROMIUM = process.env.CORNERMAN_CHROMIUM ?? '/usr/bin/chromium'
const PLACES = [
  ['the fleet', '#/'],
  ['a bot', '#/bots/alice'],
  ['a contest', '#/bots/alice/contests/00000000-0000-4000-8000-000000000000'],
] as const

const server = fork(fileURLToPath(new URL('support/dashboardServer.ts', import.meta.url)), [String(BOTS), String(CHANGES_PER_SECOND)])
const [url] = (await once(server, 'message')) as [string]
// Once for the compiler.
await shareOf(server)
console.log(`nobody looks: ${percent(await shareOf(server))} of a core`)

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
const client = await page.context().newCDPSession(page)
await client.send('Performance.enable')
await client.send('Network.enable')
let received = 0
client.on('Network.dataReceived', ({ dataLength }) => {
  received += dataLength
})
await page.goto(url)
for (const [name, hash] of PLACES) {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
  await delay(SETTLE_MS)
  const [bytesBefore, busyBefore] = [received, await busySeconds()]
  const share = await shareOf(server)
  const [bytes, busy] = [received - bytesBefore, (await busySeconds()) - busyBefore]
  const seconds = FOR_MS / 1000
  const reading = `${(bytes / 1024 / seconds).toFixed(1)} KiB/s to the page, which is busy for ${percent(busy / seconds)} of its time`
  console.log(`${name} is open: ${percent(share)} of a core (bar ${percent(BAR)}), ${reading}`)
  if (share >= BAR) process.exitCode = 1
}
await browser.close()
server.kill()

async function busySeconds(): Promise<number> {
  const { metrics } = await client.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

/** Of one core, over some time from now. */
async function shareOf(child: ChildProcess): Promise<number> {
  const [before, startedAt] = [cpuSecondsOf(child), performance.now()]
  await delay(FOR_MS)
  return (cpuSecondsOf(child) - before) / ((performance.now() - startedAt) / 1000)
}

function cpuSecondsOf({ pid }: ChildProcess): number {
  // After the name in brackets: state is field 3, user and system time fields 14 and 15 (proc_pid_stat(5)).
  const fields = readFileSync(join('/proc', String(pid), 'stat'), 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}
