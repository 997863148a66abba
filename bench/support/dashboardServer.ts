// The process that `bench/dashboard.ts` measures: a desk of bots that change all the time, and the dashboard before it.
// Says its address.

import { openPage } from '../../src/cli/page/page.ts'
import { systemClock } from '../../src/core/systemClock.ts'
import { openDashboard } from '../../src/dashboard/server/openDashboard.ts'
import { ScriptedDesk } from '../../test/support/scriptedDesk.ts'

const [bots = '200', changesPerSecond = '4'] = process.argv.slice(2)
const desk = new ScriptedDesk({ now: () => Date.now(), bots: Number(bots) })
const log = { info: () => {}, warn: console.error }
const token = { value: 'the token of this benchmark, which is long', isFromUser: false }
const page = () => openPage(log)
const dashboard = await openDashboard({ desk, operator: desk, host: '127.0.0.1', port: 0, token, page, log, clock: systemClock })

const perBotMs = 1000 / Number(changesPerSecond)
desk.names.forEach((name, index) => {
  setTimeout(() => setInterval(() => desk.tick(name), perBotMs), (perBotMs * index) / desk.names.length)
})
process.send?.(dashboard.url)
