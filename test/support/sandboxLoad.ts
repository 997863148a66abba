import { expect } from 'vitest'
import { keyedRandom } from '../../src/core/random.ts'
import type { SandboxAgentKey, SandboxProcess } from './sandboxProcess.ts'
import { checkTrades, SWAP_MODES, type Trade, Trader } from './sandboxTrades.ts'

/** Something the sandbox said it had done. */
type Acknowledged = { readonly ticketId: string; readonly cancelled: boolean } | { readonly contestId: string; readonly ready: boolean }

/** What one agent did in one life of the sandbox. */
export interface Deeds {
  readonly agent: SandboxAgentKey
  readonly acknowledged: Acknowledged[]
  /** Those whose answer was lost among them. */
  readonly trades: Trade[]
}

const TERMS = { mode: 'up_down', stake: '1000000', durationSec: 15 }

/** One agent acts until the sandbox is gone, and notes what was acknowledged. */
export async function act(sandbox: SandboxProcess, { agent, acknowledged, trades }: Deeds, keys: readonly number[]): Promise<void> {
  const call = async (procedure: string, input: unknown) => {
    const answer = await sandbox.call(agent, procedure, input)
    return 'output' in answer ? (answer.output as Record<string, string>) : undefined
  }
  const random = keyedRandom(agent.name, ...keys)
  const trader = new Trader(sandbox, agent, keyedRandom('trades', agent.name, ...keys))
  try {
    const live = await trader.liveContest()
    for (;;) {
      // A swap takes the sandbox as long as twenty other commands.
      if (random.next() < 0.35) await trader.swap(random.pick([live, undefined]), trades)
      const mode = random.pick(['up_down', 'draft_basket', 'price_prediction', ...SWAP_MODES])
      const ticket = await call('agent.queue.enqueue', { ...TERMS, mode, stake: String(random.integer(1, 5_000_000)) })
      if (ticket?.ticketId !== undefined) {
        const { ticketId } = ticket
        acknowledged.push({ ticketId, cancelled: false })
        const isCancelled = random.next() < 0.5 && (await call('agent.queue.cancel', { ticketId })) !== undefined
        if (isCancelled) acknowledged.push({ ticketId, cancelled: true })
      }
      const contest = await call('agent.contests.create', { ...TERMS, chain: 'solana', format: 'duel', joinWindowSec: 3600 })
      if (contest?.contestId === undefined) continue
      const { contestId } = contest
      acknowledged.push({ contestId, ready: false })
      if ((await call('agent.contests.ready', { contestId })) !== undefined) acknowledged.push({ contestId, ready: true })
    }
  } catch (gone) {
    // The process was killed in the middle of a call: what it did of it nobody was told.
    if (sandbox.run.child.signalCode === null && !sandbox.run.child.killed) throw gone
  }
}

/** All that was acknowledged is there, as the agent sees it. */
export async function check(sandbox: SandboxProcess, agent: SandboxAgentKey, { acknowledged, trades }: Deeds): Promise<void> {
  for (const done of acknowledged) {
    if ('ticketId' in done) {
      const { ticketId } = done
      const status = done.cancelled ? 'cancelled' : expect.stringMatching(/^(queued|matched|expired|failed|cancelled)$/)
      expect(await sandbox.call(agent, 'agent.queue.get', { ticketId })).toMatchObject({ output: { ticketId, status } })
    } else {
      const { contestId } = done
      const you = done.ready ? { ready: true } : {}
      expect(await sandbox.call(agent, 'agent.contests.get', { contestId })).toMatchObject({ output: { contestId, you } })
    }
  }
  await checkTrades(sandbox, agent, trades)
}
