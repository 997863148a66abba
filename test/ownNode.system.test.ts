import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { endOf } from './support/endOf.ts'

// A command on a Node that will not do goes on in the one that came as a package: the script below stands for it, and is its own successor.

const folder = mkdtempSync(join(tmpdir(), 'own-node-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const script = join(folder, 'command.mjs')
writeFileSync(
  script,
  `import { ownNode, runIn } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, '../src/cli/ownNode.js')).href)}
if (process.env.GOES_ON === undefined) {
  process.env.GOES_ON = 'yes'
  runIn(ownNode())
  await new Promise(() => {})
}
const [, , how] = process.argv
if (how === 'signal') process.kill(process.pid, 'SIGKILL')
if (how !== 'wait') process.exit(Number(how))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => { console.log(signal); process.exit(5) })
console.log(process.versions.node)
setInterval(() => {}, 1000)
`,
)
const command = (how: string) => spawn(process.execPath, [script, how], { stdio: ['ignore', 'pipe', 'pipe'] })

test.each([0, 2, 130])('it ends with %d as its successor does', async (code) => {
  expect(await endOf(command(String(code)))).toEqual({ stdout: '', stderr: '', exitCode: code })
})

test('it dies of the signal that its successor died of', async () => {
  const child = command('signal')
  const [exitCode, signal] = await once(child, 'close')
  expect({ exitCode, signal }).toEqual({ exitCode: null, signal: 'SIGKILL' })
})

test.each(['SIGINT', 'SIGTERM'] as const)('it passes on %s once, and waits for the end', async (signal) => {
  const child = command('wait')
  const end = endOf(child)
  await once(child.stdout, 'data')
  child.kill(signal)
  const { stdout, exitCode } = await end
  expect(stdout.split('\n')).toEqual([expect.stringMatching(/^24\./), signal, ''])
  expect(exitCode).toBe(5)
})
