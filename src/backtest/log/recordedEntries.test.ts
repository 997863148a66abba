import { describe, expect, test } from 'vitest'
import botsConfig from '../../../bots.config.ts'
import { usdc } from '../../core/usdc.ts'
import type { HeaderLine, OutputLine } from '../../recording/index.ts'
import { type BotConfig, readConfig } from '../../strategy/config.ts'
import type { QueuePolicy } from '../../strategy/define.ts'
import { fingerprintOf } from '../../strategy/fingerprint.ts'
import { entersAsRecorded, RecordedEntries } from './recordedEntries.ts'

const [alice, bob] = readConfig(botsConfig, 'bots.config.ts').bots as [BotConfig, BotConfig]
const terms = { type: 'enqueue', mode: 'draft_basket', durationSec: 18, waitSec: 30 } as const

function recorded() {
  const entries = new RecordedEntries()
  entries.onHeader({ kind: 'header', bot: 'alice', config: fingerprintOf(alice) } as HeaderLine)
  const approved = (at: number, action: unknown) =>
    entries.onOutput({
      kind: 'output',
      at,
      decisions: [{ type: 'approved', key: 'k', strategy: 's', action, stake: '0', risk: '0' }],
    } as unknown as OutputLine)
  approved(1000, { ...terms, stake: '2000000' })
  approved(2000, { type: 'ready', contestId: 'c1', ready: true })
  approved(3000, { type: 'joinContest', contestId: 'c2', side: 'UP' })
  return entries.all().get('alice')
}

const policyOf = (bot: BotConfig | undefined) => bot?.strategies.find(({ kind }) => kind === 'queue') as QueuePolicy
const askedAt = (policy: QueuePolicy, now: number) => policy.decide({ clock: { now: () => now } } as never)

describe('a recorded bot on its own recording', () => {
  test('enters what it entered, when it did, and each once', () => {
    const policy = policyOf(entersAsRecorded(alice, recorded()))
    expect(policy.name).toBe('ladder')
    expect([900, 1000, 1100, 3050, 3100].map((now) => askedAt(policy, now))).toEqual([
      [],
      [{ ...terms, stake: usdc('2') }],
      [],
      [{ type: 'joinContest', contestId: 'c2', side: 'UP' }],
      [],
    ])
  })

  test('leaves out what was entered long before the time that is played', () => {
    expect(askedAt(policyOf(entersAsRecorded(alice, recorded())), 7500)).toEqual([{ type: 'joinContest', contestId: 'c2', side: 'UP' }])
  })

  test('decides anew where anything of it is another one', () => {
    expect(entersAsRecorded(bob, recorded())).toBeUndefined()
    expect(entersAsRecorded({ ...alice, seed: alice.seed + 1 }, recorded())).toBeUndefined()
    expect(entersAsRecorded(alice, undefined)).toBeUndefined()
  })
})
