import { afterAll, describe, expect, test } from 'vitest'
import { type CornermanRun, runCornerman } from './support/runCornerman.ts'
import { openReceiver } from './support/sandbox/openReceiver.ts'
import { type SandboxProcess, startSandboxProcess } from './support/sandboxProcess.ts'

const runs: CornermanRun[] = []
afterAll(() => {
  for (const { child } of runs) child.kill('SIGKILL')
})

async function start(...args: string[]): Promise<SandboxProcess> {
  const running = await startSandboxProcess(args)
  runs.push(running.run)
  return running
}

describe('cornerman sandbox', () => {
  test('prints one line of JSON with the key, and the secret of the webhook that was set; Ctrl-C ends it with 0', async () => {
    const receiver = await openReceiver()
    const url = `${receiver.url}&x=a=b`
    const sandbox = await start(
      '--agents',
      'alice,bob',
      '--loopback-webhooks',
      '--webhook',
      `bob=${url}`,
      '--faults',
      '{"pollDuplicate":0.25}',
    )
    const shown = { agentId: expect.any(String), key: expect.stringMatching(/^ck_/), wallet: expect.stringMatching(/^\w{32,44}$/) }
    expect(sandbox.agents).toEqual([
      { name: 'alice', ...shown },
      { name: 'bob', ...shown, webhookSecret: expect.stringMatching(/^whsec_/) },
    ])
    expect(await sandbox.owner('webhook?agent=bob')).toMatchObject({ url })
    expect(await sandbox.owner('faults')).toMatchObject({ pollDuplicate: 0.25 })
    sandbox.run.child.kill('SIGINT')
    expect(await sandbox.run.exited, sandbox.run.stderr()).toBe(0)
    expect(sandbox.run.stdout().trim().split('\n')).toHaveLength(1)
    await receiver.close()
  })

  test.each([
    [['--faults', '{"dropAfter":2}'], /faults\.dropAfter/],
    [['--webhook', 'agent'], /NAME=URL/],
    [['--webhook', 'agent=http://127.0.0.1:1/'], /webhook URL "http:\/\/127\.0\.0\.1:1\/"/],
  ])('%j is a mistake of usage', async (args, message) => {
    const run = runCornerman(['sandbox', '--json', ...args])
    runs.push(run)
    expect(await run.exited).toBe(2)
    expect(run.stderr()).toMatch(message)
    expect(run.stderr()).not.toMatch(/\n\s+at /)
    expect(run.stdout()).toBe('')
  })
})
