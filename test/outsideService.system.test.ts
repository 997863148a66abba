import { afterEach, expect, test } from 'vitest'
import { SOL_MINT, USDC_MINT } from '../src/core/tokens.ts'
import { type OutsideProcess, startOutsideProcess } from './support/outsideService/outsideProcess.ts'
import { type SandboxProcess, startSandboxProcess } from './support/sandboxProcess.ts'

// The outside service as a process, on the prices and the chain of a sandbox.

const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

async function start(args: readonly string[]) {
  const sandbox = await startSandboxProcess(['--agents', 'alice'])
  opened.push(() => sandbox.kill())
  const outside = await startOutsideProcess(sandbox, args)
  opened.push(() => outside[Symbol.asyncDispose]())
  return { sandbox, outside }
}

async function call({ url, agents }: OutsideProcess, procedure: string, input: unknown): Promise<Record<string, unknown>> {
  const headers = { 'x-agent-key': agents[0]?.key ?? '', 'content-type': 'application/json' }
  const response = await fetch(`${url}/${procedure}`, { method: 'POST', headers, body: JSON.stringify({ json: input }) })
  const answer = (await response.json()) as {
    result?: { data: { json: Record<string, unknown> } }
    error?: { json: Record<string, unknown> }
  }
  return answer.result?.data.json ?? { refused: answer.error?.json }
}

/** A swap of 10 USDC for `mint`, unsigned. */
async function built(sandbox: SandboxProcess, mint: string): Promise<string> {
  const quoteResponse = await sandbox.json(`jup/swap/v1/quote?inputMint=${USDC_MINT}&outputMint=${mint}&amount=10000000&slippageBps=300`)
  const swap = await sandbox.json('jup/swap/v1/swap', { userPublicKey: sandbox.agents[0]?.wallet, quoteResponse })
  return (swap as { swapTransaction: string }).swapTransaction
}

test('a swap goes to the chain of the sandbox and counts for the contest', async () => {
  const { sandbox, outside } = await start([
    '--trouble',
    '{"failEvery":0,"neglectEvery":0}',
    '--pace',
    '{"matchSec":0.5,"countdownSec":0.5}',
  ])
  const { ticket } = (await call(outside, 'agent.queue.enqueue', { mode: 'pnl_usd', stake: '1000000', durationSec: 15 })) as {
    ticket: { ref: string }
  }
  let contestId = ''
  await expect
    .poll(async () => {
      const input = encodeURIComponent(JSON.stringify({ json: { ticketId: ticket.ref } }))
      const response = await fetch(`${outside.url}/agent.queue.get?input=${input}`, {
        headers: { 'x-agent-key': outside.agents[0]?.key ?? '' },
      })
      const { result } = (await response.json()) as { result: { data: { json: { ticket: { seatedIn: string | null } } } } }
      contestId = result.data.json.ticket.seatedIn ?? ''
      return contestId
    })
    .not.toBe('')
  expect(await call(outside, 'agent.trade.signAndSend', { transaction: 'AAAA' })).toMatchObject({
    refused: { data: { appCode: 'SWAP_REFUSED' } },
  })
  for (const mint of [SOL_MINT, 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm']) {
    const transaction = await built(sandbox, mint)
    await expect
      .poll(() => call(outside, 'agent.trade.signAndSend', { transaction, contestId }))
      .toMatchObject({ contestId, signature: expect.any(String) })
  }
  await expect
    .poll(async () => (await outside.log('alice')).outcomes, { interval: 500 })
    .toMatchObject([{ contestId, moves: ['swap', 'swap'] }])
  expect(await outside.log('alice')).toMatchObject({ withoutMove: [] })
  expect(await outside.audit()).toMatchObject({ agrees: true, stranded: [] })
})

test('it ends by itself on SIGTERM, and when nobody holds its stdin any more', async () => {
  const { sandbox, outside } = await start([])
  outside.child.kill('SIGTERM')
  expect(await outside.exited).toBe(0)
  const other = await startOutsideProcess(sandbox, ['--speed', '2'])
  other.child.stdin?.end()
  expect(await other.exited).toBe(0)
})
