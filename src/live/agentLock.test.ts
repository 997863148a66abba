import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { uuidv7 } from '../core/ids.ts'
import { type AgentLock, lockAgent } from './agentLock.ts'

const held: AgentLock[] = []
afterEach(async () => {
  for (const lock of held.splice(0)) await lock.release()
})

const url = 'https://contests.example'
/** Of this test run alone: others may run beside it. */
const agent = `agent-${process.pid}`
const holder = 'process 1 (bot alice)'
async function lock(change: Partial<Parameters<typeof lockAgent>[0]> = {}, platform?: string): Promise<AgentLock> {
  const taken = await lockAgent({ url, agent, holder, ...change }, platform)
  held.push(taken)
  return taken
}

// 'darwin' stands for systems that have neither abstract sockets nor pipes with names.
describe.each([process.platform, 'darwin'])('the lock of an agent, as on %s', (platform) => {
  test('is held by one', async () => {
    const first = await lock({}, platform)
    await expect(lock({}, platform)).rejects.toThrow(expect.objectContaining({ code: 'AGENT_IN_USE' }))
    await first.release()
    await lock({}, platform)
  })

  test('is one of a service and an agent', async () => {
    await lock({}, platform)
    await lock({ agent: `${agent}-other` }, platform)
    await lock({ url: 'https://elsewhere.example' }, platform)
    await lock({ url: 'http://contests.example' }, platform)
    await lock({ url: 'https://contests.example:8443' }, platform)
    for (const same of ['https://contests.example/', 'https://contests.example:443/api', 'https://CONTESTS.example.'])
      await expect(lock({ url: same }, platform), same).rejects.toThrow(/played by/)
  })

  test('of a service on this machine is one by all of its names, and another on another port', async () => {
    await lock({ url: 'http://127.0.0.1:4000' }, platform)
    await expect(lock({ url: 'http://localhost:4000' }, platform)).rejects.toThrow(/played by/)
    await expect(lock({ url: 'http://[::1]:4000' }, platform)).rejects.toThrow(/played by/)
    await lock({ url: 'http://127.0.0.1:4001' }, platform)
  })

  const key = `key-of-${process.pid}`
  const names = [
    'http://127.0.0.1:4000',
    'http://localhost:4000/',
    'http://LOCALHOST:4000/api',
    'http://[::1]:4000',
    `http://${hostname()}:4000`,
    'http://127.0.0.1:4001',
    'https://contests.example',
    'https://www.contests.example/api/',
    'https://203.0.113.7',
  ]
  const pairs = names.flatMap((one) => names.filter((other) => other !== one).map((other) => [one, other] as const))

  test.each(pairs)('that has one key is one at %s and at %s', async (one, other) => {
    await lock({ url: one, key }, platform)
    await expect(lock({ url: other, key }, platform)).rejects.toThrow(/played by/)
    // Whatever the service calls it there.
    await expect(lock({ url: other, key, agent: undefined }, platform)).rejects.toThrow(/played by/)
    await lock({ url: other, key: `${key}-other`, agent: `${agent}-other` }, platform)
  })

  test('that has another key by now is one by its id, if that is one of its own in the world', async () => {
    const id = uuidv7(Date.now(), process.pid, 'agent')
    await lock({ url: 'https://contests.example', agent: id, key }, platform)
    await expect(lock({ url: 'https://203.0.113.7/api', agent: id, key: `${key}-new` }, platform)).rejects.toThrow(/played by/)
    await lock({ url: 'https://contests.example', agent: '7', key: `${key}-7` }, platform)
    await lock({ url: 'https://elsewhere.example', agent: '7', key: `${key}-8` }, platform)
    // Two sandboxes of a machine give their agents the same ids.
    await lock({ url: 'http://127.0.0.1:4000', agent: id, key: `${key}-a` }, platform)
    await lock({ url: 'http://127.0.0.1:4001', agent: id, key: `${key}-b` }, platform)
  })

  test('that is refused holds none of its names', async () => {
    const first = await lock({ key }, platform)
    await expect(lock({ url: 'https://elsewhere.example', key }, platform)).rejects.toThrow(/played by/)
    await lock({ url: 'https://elsewhere.example', key: `${key}-other` }, platform)
    await first.release()
    await lock({ key }, platform)
  })

  test('of a process that was killed holds nobody up', async () => {
    const module = fileURLToPath(new URL('agentLock.ts', import.meta.url))
    const script = `import { lockAgent } from ${JSON.stringify(module)}
      await lockAgent(${JSON.stringify({ url, agent, holder })}, ${JSON.stringify(platform)})
      process.stdout.write('held')
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    await expect(lock({}, platform)).rejects.toThrow(/played by/)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await lock({}, platform)
  })
})

test.skipIf(process.platform === 'darwin')('who comes second is told who holds it, without what a terminal would obey', async () => {
  await lock({ holder: 'process 7 \u001b[2J(bot alice)' })
  await expect(lock()).rejects.toThrow('the agent is played by process 7  [2J(bot alice) already: stop that one')
})
