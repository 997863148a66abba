import { traitsOf } from '../../contract/modes.ts'
import { USDC_MINT } from '../../core/tokens.ts'
import { type Candidate, decide, type Finding, nameRank, none, UNNAMED } from './finding.ts'
import type { Sample, Seen } from './seen.ts'
import { columnsIn, type Steady, saysOf, steadyIn } from './steady.ts'
import { isMint } from './values.ts'

// The token that a contest is about: a mint by its address, and never by its symbol.

/** Words of addresses that are no such token. */
const NOT_TOKEN =
  /quote|wallet|vault|program|pool|treasury|owner|payer|authority|account|escrow|stake|reward|fee|collateral|settle|currency|picked|featured|decoy|previous|next|alt|benchmark|reference/

const LEAST_ANSWERS = 2

export function findToken(seen: Seen): Finding {
  const { states, contests, me, known } = seen
  const samples = [...states, ...contests].filter(({ mode, id }) => id !== undefined && mode !== undefined)
  const ofTokens = samples.filter(({ mode }) => traitsOf(mode)?.needsToken === true)
  if (ofTokens.length === 0) return none('token', 'notSeen')
  const wallets = new Set([USDC_MINT, ...me.flatMap(({ values }) => [...values.values()]).filter(isMint), ...walletsIn(seen)])
  const swaps = [...known.contests.values()].flatMap(({ contestId, mode, moves }) =>
    moves.flatMap(({ type, token }) =>
      type === 'swap' && token !== undefined && token !== USDC_MINT && traitsOf(mode)?.needsToken === true
        ? [[contestId, token] as const]
        : [],
    ),
  )
  const steady = steadyIn(columnsIn(samples), (value) => (isMint(value) && !wallets.has(value) ? value : undefined))
  const candidates = steady.flatMap((one) => candidateOf(one, { swaps, ofTokens }))
  return decide('token', agreed(candidates), true)
}

interface Evidence {
  readonly swaps: readonly (readonly [contestId: string, token: string])[]
  readonly ofTokens: readonly Sample[]
}

function candidateOf({ source, path, byContest, cells, seen }: Steady<string>, { swaps, ofTokens }: Evidence): Candidate[] {
  const rank = nameRank('token', path)
  const inOtherModes = cells.some(({ sample, value }) => traitsOf(sample.mode)?.needsToken === false && isMint(value))
  if (seen < LEAST_ANSWERS || inOtherModes || NOT_TOKEN.test(path.toLowerCase())) return []
  const swapped = swaps.filter(([contestId]) => byContest.has(contestId))
  if (swapped.some(([contestId, token]) => byContest.get(contestId) !== token)) return []
  if (swapped.length === 0 && rank === UNNAMED) return []
  const modes = new Set(ofTokens.filter(({ id, source: from }) => from === source && byContest.has(id ?? '')).map(({ mode }) => mode))
  const all = new Set(ofTokens.map(({ mode }) => mode))
  const missed = cells.filter(
    ({ sample, value }) => traitsOf(sample.mode)?.needsToken === true && sample.stage === 'live' && !isMint(value),
  ).length
  // What is there in every mode that has a token comes first.
  const order = rank + (all.size - modes.size) * UNNAMED * 10 + (missed > 0 ? UNNAMED : 0)
  const proof = swapped.length > 0 ? 'a swap of it was taken for the contest' : undefined
  return [{ source, path, sample: byContest.values().next().value, says: saysOf(byContest), rank: order, proof }]
}

/** One of `params`, which may hold whatever was asked for, counts only where another place agrees, or none is left. */
function agreed(candidates: readonly Candidate[]): readonly Candidate[] {
  const isParam = ({ path }: Candidate) => /(?:^|\.)(?:params|parameters|settings|config|options|rules)\./i.test(path)
  const plain = candidates.filter((one) => !isParam(one))
  if (plain.length === 0) return candidates
  const params = candidates.filter(isParam).filter((one) => plain.every((other) => shared(one, other) > 0 && isSame(one, other)))
  return [...plain, ...params]
}

const shared = (a: Candidate, b: Candidate): number => [...a.says.keys()].filter((key) => b.says.has(key)).length
const isSame = (a: Candidate, b: Candidate): boolean => [...a.says].every(([key, value]) => !b.says.has(key) || b.says.get(key) === value)

/** Addresses of wallets, as far as the bot's own money says. */
const walletsIn = ({ exchanges }: Seen): readonly string[] =>
  exchanges.filter(({ procedure }) => procedure === 'agent.bankroll' || procedure === 'agent.profile').flatMap(({ body }) => mintsIn(body))

const mintsIn = (value: unknown): string[] =>
  isMint(value) ? [value] : typeof value === 'object' && value !== null ? Object.values(value).flatMap(mintsIn) : []
