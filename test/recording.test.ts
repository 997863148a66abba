import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../src/core/clock.ts'
import { usdc } from '../src/core/usdc.ts'
import { checkLog } from '../src/recording/index.ts'
import { enqueue } from '../src/strategy/action.ts'
import { MemoryJournal } from '../src/testing/memoryJournal.ts'
import { alwaysSays, openPrediction, predictionId, servePrediction } from './support/predictionContest.ts'
import { START_MS } from './support/rawEvents.ts'
import { emptyFolder, expectIdentical, textOf } from './support/replaying.ts'
import { openTestBot } from './support/testBot.ts'
import { policy } from './support/testStrategies.ts'

// What stands in a recording when the process dies, and what never does.

/** Asks for two tickets, one after the other. */
const strategies = () => [
  policy(
    ({ tickets, random }) => {
      const stake = usdc(String(random.integer(1, 3)))
      if (tickets.length > 1) return []
      return [enqueue({ mode: tickets.length === 0 ? 'up_down' : 'draft_basket', stake, durationSec: 15 })]
    },
    { everySec: 1 },
  ),
]

describe('law 4', () => {
  test('what is sent was recorded before, with the input that caused it and all inputs before that', async () => {
    const recording = emptyFolder()
    const seen: { readonly text: string; readonly procedure: string }[] = []
    const bot = await openTestBot({
      recording,
      strategies: strategies(),
      prepare: (service) => {
        service.onSend = ({ procedure }) => void seen.push({ procedure, text: textOf(recording) })
      },
    })
    await bot.run(5000)
    expect(seen.length).toBeGreaterThan(1)
    for (const { procedure, text } of seen) {
      const lines = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { kind: string; n: number; decisions: { type: string; procedure?: string }[] })
      const last = lines.at(-1)
      expect(last).toMatchObject({
        kind: 'output',
        decisions: expect.arrayContaining([expect.objectContaining({ type: 'sent', procedure })]),
      })
      expect(lines.filter(({ kind }) => kind === 'input').map(({ n }) => n)).toEqual(
        Array.from({ length: last?.n ?? 0 }, (_, index) => index + 1),
      )
    }
  })

  test('what the journal knows of was recorded before', async () => {
    const recording = emptyFolder()
    const journal = new MemoryJournal()
    const missing: number[] = []
    journal.onCommit = ({ n }) => {
      if (!textOf(recording).includes(`"kind":"input","n":${n},`)) missing.push(n)
    }
    const bot = await openTestBot({ recording, journal, strategies: strategies() })
    await bot.run(3000)
    expect(journal.records.length).toBeGreaterThan(2)
    expect(missing).toEqual([])
  })
})

describe('a crash', () => {
  test('at any byte leaves a recording that replays as far as it goes', async () => {
    const recording = emptyFolder()
    const bot = await openTestBot({ recording, strategies: strategies() })
    await bot.run(3000)
    bot.kill()
    const [name = ''] = readdirSync(recording)
    const bytes = readFileSync(join(recording, name))
    const header = bytes.indexOf('\n') + 1
    let most = 0
    for (let length = bytes.length; length > header; length -= 97) {
      const cut = emptyFolder()
      writeFileSync(join(cut, name), bytes.subarray(0, length))
      const text = bytes.toString('utf8', 0, length)
      if (!text.slice(0, text.lastIndexOf('\n')).includes('"kind":"output"')) continue
      const { decisions } = await expectIdentical(cut, { ...bot.config, strategies: strategies() })
      most = Math.max(most, decisions)
      expect(checkLog(cut).map(({ code }) => code)).toEqual(text.endsWith('\n') ? [] : ['LOG_CUT'])
    }
    expect(most).toBeGreaterThan(3)
  })

  test('and the run after it, which counts on from the journal, replay together', async () => {
    const recording = emptyFolder()
    const journal = new MemoryJournal()
    const clock = new VirtualClock(START_MS)
    const first = await openTestBot({ recording, journal, clock, strategies: strategies() })
    await first.run(2000)
    first.kill()
    const [name = ''] = readdirSync(recording)
    const file = join(recording, name)
    writeFileSync(file, readFileSync(file).subarray(0, -30))
    await clock.advanceBy(1000)
    const second = await openTestBot({ recording, journal, clock, strategies: strategies() })
    await second.run(2000)
    expect(checkLog(recording)).toEqual([])
    const { runs } = await expectIdentical(recording, { ...second.config, strategies: strategies() })
    expect(runs).toBe(2)
  })
})

describe('a salt', () => {
  test('that is not revealed is in the journal and in no recording, not even in that of the next run', async () => {
    const recording = emptyFolder()
    const journal = new MemoryJournal()
    const clock = new VirtualClock(START_MS)
    const first = await openPrediction({ recording, journal, clock })
    await first.run(1000)
    first.kill()
    const second = await openTestBot({
      recording,
      journal,
      clock: new VirtualClock(START_MS + 2000),
      strategies: [alwaysSays('999')],
      prepare: (service) => servePrediction(service, () => START_MS + 2000),
    })
    await second.run(1000)
    const [custody] = journal.custodyOf(predictionId)
    const text = textOf(recording)
    expect(custody?.salt).toMatch(/^salt-of-the-test/)
    expect(text.match(/"type":"started".*?"custody":\[\{/g)).toHaveLength(1)
    expect(text).toContain(custody?.commitment)
    expect(text).not.toContain('salt-of-the-test')
  })
})
