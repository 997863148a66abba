import { invariant } from '../../../core/error.ts'
import type { Refusal, SimulatedChanges, SwapTerms } from '../../../guard/index.ts'
import type { BuildResult } from '../../../pipeline/index.ts'
import { type ChainRpc, type RpcAnswer, troubleOf } from '../chainRpc.ts'
import { MOST_COMPUTE_UNITS, unitsFor } from '../composing/computeBudget.ts'
import { confirmedTables } from '../composing/confirmedTables.ts'
import type { SwapFees } from '../dex.ts'
import type { LookupTables } from '../lookupTables.ts'
import { simulateSwap } from '../simulate.ts'
import { readWireTransaction } from '../wireTransaction.ts'
import { type ComposedSwap, composeSwap } from './composeSwap.ts'
import type { Build } from './readBuild.ts'

export interface Building {
  readonly build: Build
  readonly terms: SwapTerms
  readonly fees: SwapFees
  /** How often a transaction was made of these instructions before. */
  readonly made: number
}

/**
 * Makes the transaction of a swap, and simulates it where there is an RPC: first with all the compute units there are, then with
 * what that took. One made again asks for a unit less, which makes it another transaction under the same blockhash.
 */
export async function buildSwap(building: Building, rpc: ChainRpc | undefined): Promise<BuildResult> {
  if (rpc === undefined) return withoutChain(building)
  const drafted = await draftedWith(rpc, building)
  if (!drafted.ok) return drafted.result
  const { tables, simulated: first } = drafted
  if (first.unitsConsumed === undefined) return builtOf(building, drafted)
  const composed = composeSwap({ ...building, tables, units: unitsFor(first.unitsConsumed) - building.made })
  if (!composed.ok) return refused(composed.refusal)
  const { transaction } = composed
  const simulated = await simulatedBy(rpc, building, { transaction, tables })
  return simulated.ok ? builtOf(building, { transaction, tables, simulated: simulated.value }) : troubleOf(simulated)
}

/** Tables are read by nobody then: what does not fit without them is refused. */
function withoutChain(building: Building): BuildResult {
  const composed = draftOf(building, new Map())
  if (composed.ok) return builtOf(building, { transaction: composed.transaction, tables: undefined, simulated: undefined })
  return refused(composed.refusal, isTooLarge(composed) ? ': set market.rpcUrl, so that lookup tables can be read' : '')
}

interface Drafted {
  readonly ok: true
  readonly transaction: string
  readonly tables: LookupTables
  readonly simulated: SimulatedChanges
}

/** With lookup tables only where it does not fit without: what they hold need not be asked for then. */
async function draftedWith(rpc: ChainRpc, building: Building): Promise<Drafted | { readonly ok: false; readonly result: BuildResult }> {
  let tables: LookupTables = new Map()
  let composed = draftOf(building, tables)
  if (isTooLarge(composed) && building.build.tables.size > 0) {
    const confirmed = await confirmedTables(rpc, building.build.tables)
    if (!confirmed.ok) return { ok: false, result: 'refusal' in confirmed ? refused(confirmed.refusal) : troubleOf(confirmed) }
    tables = confirmed.value
    composed = draftOf(building, tables)
  }
  if (!composed.ok) return { ok: false, result: refused(composed.refusal) }
  const { transaction } = composed
  const simulated = await simulatedBy(rpc, building, { transaction, tables })
  return simulated.ok ? { ok: true, transaction, tables, simulated: simulated.value } : { ok: false, result: troubleOf(simulated) }
}

const draftOf = (building: Building, tables: LookupTables): ComposedSwap =>
  composeSwap({ ...building, tables, units: MOST_COMPUTE_UNITS - building.made })

async function simulatedBy(
  rpc: ChainRpc,
  { terms: { wallet } }: Building,
  { transaction, tables }: { readonly transaction: string; readonly tables: LookupTables },
): Promise<RpcAnswer<SimulatedChanges>> {
  const wire = readWireTransaction(transaction)
  invariant(wire !== undefined, 'what was composed here reads as no transaction')
  return simulateSwap(rpc, { wallet, transaction, wire, tables })
}

interface Made {
  readonly transaction: string
  readonly tables: LookupTables | undefined
  readonly simulated: SimulatedChanges | undefined
}

function builtOf({ build: { lastValidBlockHeight } }: Building, { transaction, tables, simulated }: Made): BuildResult {
  return { ok: true, built: { transaction, lastValidBlockHeight, tables, simulated } }
}

const isTooLarge = (composed: ComposedSwap): boolean => !composed.ok && composed.refusal.code === 'TX_TOO_LARGE'

function refused(refusal: Refusal, remedy = ''): BuildResult {
  const said = { ...refusal, message: refusal.message + remedy }
  return { ok: false, reason: `${said.code}: ${said.message}`, retryable: false, refusal: said }
}
