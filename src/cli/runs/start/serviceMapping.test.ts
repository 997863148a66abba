import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type HonestAnswer, startLyingService } from '../../../../test/support/lyingService.ts'
import { openTestSandbox } from '../../../../test/support/sandbox/openTestSandbox.ts'
import { SANDBOX_HEADER } from '../../../contract/wire.ts'
import { HttpService } from '../../../live/index.ts'
import { type Config, contestService } from '../../../strategy/config.ts'
import { createLog } from '../../log.ts'
import { openServiceMapping } from './serviceMapping.ts'

const signed = (text: string) => ({ [SANDBOX_HEADER]: createHash('sha256').update(text).digest('hex') })
const renamed = ({ procedure, text }: HonestAnswer) => (procedure === 'agent.me' ? text.replace('"handle"', '"name"') : text)

/** Proxies between the bot and a sandbox, by what they do to an answer. */
const FRONTS = {
  'the sandbox itself': ({ text }: HonestAnswer) => ({ headers: signed(text) }),
  'a service that signs what it has changed': (answer: HonestAnswer) => ({ text: renamed(answer), headers: signed(renamed(answer)) }),
  'a service that changes an answer': (answer: HonestAnswer) => ({ text: renamed(answer), headers: signed(answer.text) }),
} as const

/** Starts a bot behind a proxy. @returns whether the service was explored first, and the lines of the log */
async function readAt(front: keyof typeof FRONTS, service: { readonly sandbox?: boolean }) {
  const sandbox = await openTestSandbox({ agents: ['alice'] })
  const between = await startLyingService(sandbox.url, FRONTS[front])
  const dataDir = mkdtempSync(join(tmpdir(), 'mapping-'))
  const http = new HttpService({ url: between.url, agentKey: sandbox.agents[0]?.key ?? '', timeoutMs: 20_000, clock: sandbox.clock })
  onTestFinished(async () => {
    await http.close()
    await between[Symbol.asyncDispose]()
    await sandbox.close()
    rmSync(dataDir, { recursive: true })
  })
  let explored = 0
  const lines: string[] = []
  const config = { service: { paths: {}, sandbox: false, ...contestService({ url: between.url, ...service }) } } as unknown as Config
  const mapping = openServiceMapping({
    ...{ config, configFile: join(dataDir, 'bots.config.ts'), dataDir },
    log: createLog({ pretty: false, sink: { write: (text) => void lines.push(text) } }),
    explore: () => {
      explored += 1
      return Promise.resolve({ version: 1 as const, service: between.url, pieces: {} })
    },
  })
  await http.read({ procedure: 'agent.me', input: null })
  const { reading } = await mapping.readBy(http, new AbortController().signal)
  return { explored, expectsSandbox: http.expectsSandbox, closed: Object.keys(reading?.unreadable ?? {}).length, said: lines.join('') }
}

test.each(
  Object.keys(FRONTS) as (keyof typeof FRONTS)[],
)('the header of the sandbox alone is no proof, whoever sends it (%s)', async (front) => {
  const { explored, expectsSandbox, closed, said } = await readAt(front, {})
  expect({ explored, expectsSandbox }).toEqual({ explored: 1, expectsSandbox: false })
  expect(closed).toBeGreaterThan(0)
  expect(said.includes('sandbox: true')).toBe(front !== 'a service that changes an answer')
})

test('a sandbox that the config names is read without a probe', async () => {
  const { explored, expectsSandbox, closed } = await readAt('the sandbox itself', { sandbox: true })
  expect({ explored, expectsSandbox, closed }).toEqual({ explored: 0, expectsSandbox: true, closed: 0 })
})

test('a service that changes answers is no sandbox, though the config names it one', async () => {
  const { explored, expectsSandbox, said } = await readAt('a service that changes an answer', { sandbox: true })
  expect({ explored, expectsSandbox }).toEqual({ explored: 1, expectsSandbox: false })
  expect(said).toContain('the config says sandbox: true')
})
