import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { writeRunNote } from '../src/cli/control.ts'
import { cancel, leave, sell } from '../src/cli/runs/order.ts'
import { systemClock } from '../src/core/systemClock.ts'
import { type Dashboard, openDashboard, plainPage } from '../src/dashboard/index.ts'
import { ScriptedDesk } from './support/scriptedDesk.ts'

// `order` tells the process that plays, by its page.

const TOKEN = 'a token of thirty-two characters'
let desk: ScriptedDesk
let dashboard: Dashboard
let dataDir: string
let printed: string

beforeAll(async () => {
  desk = new ScriptedDesk({ now: systemClock.now })
  const log = { info: () => {}, warn: () => {} }
  const token = { value: TOKEN, isFromUser: false }
  const page = () => plainPage('the page')
  dashboard = await openDashboard({ desk, operator: desk, host: '127.0.0.1', port: 0, token, page, log, clock: systemClock })
})
afterAll(() => dashboard.close())
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'order-'))
  desk.ordered.length = 0
  printed = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text)
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  rmSync(dataDir, { recursive: true })
})

function running(url?: string): void {
  writeRunNote(dataDir, { pid: process.pid, obeys: { state: 'running', bots: {} } })
  if (url !== undefined) writeFileSync(join(dataDir, 'dashboard.url'), `${url}\n`)
}

test('reaches the bot, and prints what became of it', async () => {
  running(dashboard.url)
  expect(await leave('c1', { bot: 'alice', dataDir })).toBe(0)
  expect(await sell('So1', { bot: 'bob', contest: 'c1', amount: 5n, dataDir, json: true })).toBe(0)
  desk.answers.push({ isDone: false, message: 'ticket t1 is not an open ticket of this bot' })
  expect(await cancel('t1', { bot: 'alice', dataDir })).toBe(1)
  expect(await cancel('t1', { bot: 'nobody', dataDir, json: true })).toBe(1)
  expect(printed.trim().split('\n')).toEqual([
    'alice: done',
    '{"isDone":true,"message":"done"}',
    'alice: not done: ticket t1 is not an open ticket of this bot',
    '{"isDone":false,"message":"there is no bot of this name"}',
  ])
  expect(desk.ordered).toEqual([
    { bot: 'alice', order: { type: 'leaveContest', contestId: 'c1' } },
    { bot: 'bob', order: { type: 'sell', contestId: 'c1', mint: 'So1', amount: 5n } },
    { bot: 'alice', order: { type: 'cancelTicket', ticketId: 't1' } },
  ])
})

test('by a token of the owner’s own, which stands in the environment alone', async () => {
  running(dashboard.address)
  vi.stubEnv('CORNERMAN_DASHBOARD_TOKEN', '')
  await expect(leave('c1', { bot: 'alice', dataDir })).rejects.toThrow(/set CORNERMAN_DASHBOARD_TOKEN to it/)
  vi.stubEnv('CORNERMAN_DASHBOARD_TOKEN', 'another token of so many characters')
  expect(await leave('c1', { bot: 'alice', dataDir })).toBe(1)
  vi.stubEnv('CORNERMAN_DASHBOARD_TOKEN', TOKEN)
  expect(await leave('c1', { bot: 'alice', dataDir })).toBe(0)
  expect(desk.ordered).toHaveLength(1)
})

test('where nothing runs, or nothing that can be told, is a mistake of usage', async () => {
  await expect(leave('c1', { bot: 'alice', dataDir })).rejects.toThrow(/nothing runs on .*Nothing was ordered/)
  running()
  await expect(leave('c1', { bot: 'alice', dataDir })).rejects.toThrow(/has no page.*--no-dashboard/)
  running('http://127.0.0.1:1/#token=x')
  await expect(leave('c1', { bot: 'alice', dataDir })).rejects.toMatchObject({ code: 'DASHBOARD_UNREACHABLE' })
})
