import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
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
