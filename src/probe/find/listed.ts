import { modeSchema } from '../../contract/enums.ts'
import { isPlayedBy } from '../../contract/modes.ts'
import type { Shapes } from '../../contract/shapes/shapes.ts'
import { rowColumns } from './entry.ts'
import { type Candidate, decide, type Finding, nameRank, none, UNNAMED } from './finding.ts'
import type { OwnFound } from './identity.ts'
import { columnsOf, type Sample, type Seen } from './seen.ts'
import { type Column, columnsIn } from './steady.ts'
import { isId, isMint, isWord, pathsIn, rowsAt, show } from './values.ts'

// Items of the list of contests to join, and the words of sides: known pairs alone, since a wrong one bets against what was meant.

export type SideWords = NonNullable<NonNullable<Shapes['words']>['side']>

const NAMES = ['listedContestId', 'listedMode', 'listedStake', 'listedToken', 'listedSides']

interface Told {
  /** The token of a contest, where it was read elsewhere. */
  readonly tokenOf: ReadonlyMap<string, string>
  /** Where it stands in a contest by itself. */
  readonly tokenPaths: ReadonlySet<string>
  /** Where a contest by itself has its id. */
  readonly idPath: string | undefined
}

export function findListed(seen: Seen, { tokenOf, tokenPaths, idPath }: Told): readonly Finding[] {
  const { listed, known } = seen
  if (listed.length === 0) return NAMES.map((name) => none(name, 'notSeen'))
  const columns = [...columnsOf(listed)].map(([path, cells]): Column => ({ source: 'listed', path, cells }))
  const asked = new Set(seen.exchanges.flatMap(({ input }) => idIn(input)))
  const ids = new Set([...known.contests.keys(), ...asked])
  const id = decide('listedContestId', idsIn(columns, ids, idPath), true)
  const path = typeof id.place === 'string' ? id.place.slice('listed:'.length) : undefined
  const idOf = ({ values, id: ofSample }: Sample) => (path === undefined ? ofSample : (values.get(path) as string | undefined))
  const mode = decide(
    'listedMode',
    modesIn(columns, (sample) => known.contests.get(idOf(sample) ?? '')?.mode),
    true,
  )
  const modePath = typeof mode.place === 'string' ? mode.place.slice('listed:'.length) : ''
  // The token is needed of contests that are joined from the list; others may keep it to themselves.
  const isSided = (sample: Sample) => isSidedMode(sample.values.get(modePath) ?? known.contests.get(idOf(sample) ?? '')?.mode)
  return [
    id,
    mode,
    decide(
      'listedStake',
      stakesIn(columns, (sample) => known.contests.get(idOf(sample) ?? '')?.stake),
      true,
    ),
    decide('listedToken', tokensIn(columns, { tokenOf, tokenPaths, idOf, isSided }), tokenOf.size > 0),
    none('listedSides', 'missing'),
  ]
}

const idIn = (input: unknown): string[] => {
  const id = typeof input === 'object' && input !== null ? (input as { contestId?: unknown }).contestId : undefined
  return typeof id === 'string' ? [id] : []
}

function idsIn(columns: readonly Column[], ids: ReadonlySet<string>, idPath: string | undefined): Candidate[] {
  const candidates = columns.flatMap(({ source, path, cells }): (Candidate & { readonly hits: number })[] => {
    if (!cells.every(({ value }) => isId(value))) return []
    const hits = new Set(cells.map(({ value }) => value).filter((value) => typeof value === 'string' && ids.has(value))).size
    const perAnswer = new Set(cells.map(({ sample, value }) => `${sample.n} ${value}`))
    // Two items of one list have two ids.
    if ((hits === 0 && (path !== idPath || cells.length < LEAST_ITEMS)) || perAnswer.size !== cells.length) return []
    const says = new Map(cells.map(({ sample, value }, index) => [`${sample.n} ${index}`, show(value)]))
    return [
      {
        ...{ source, path, sample: cells[0]?.value, says, rank: nameRank('listedContestId', path), hits },
        proof: hits > 0 ? 'contests that were joined or read have it' : undefined,
        why: 'a contest has its id there',
      },
    ]
  })
  const most = Math.max(0, ...candidates.map(({ hits }) => hits))
  return candidates.filter(({ hits }) => hits === most)
}

function modesIn(columns: readonly Column[], modeOf: (sample: Sample) => string | undefined): Candidate[] {
  return columns.flatMap(({ source, path, cells }): Candidate[] => {
    if (cells.length < 3 || !cells.every(({ value }) => modeSchema.safeParse(value).success)) return []
    const told = cells.filter(({ sample }) => modeOf(sample) !== undefined)
    if (!told.every(({ sample, value }) => modeOf(sample) === value)) return []
    const rank = nameRank('listedMode', path)
    if (told.length === 0 && rank === UNNAMED) return []
    const says = new Map(cells.map(({ sample, value }, index) => [`${sample.n} ${index}`, show(value)]))
    return [{ source, path, sample: cells[0]?.value, says, rank, proof: told.length > 0 ? 'events say the same' : undefined }]
  })
}

/** Whole micro-USDC in digits, as everywhere in the interface: another unit is never guessed. */
function stakesIn(columns: readonly Column[], stakeOf: (sample: Sample) => string | undefined): Candidate[] {
  return columns.flatMap(({ source, path, cells }): Candidate[] => {
    const told = cells.filter(({ sample }) => stakeOf(sample) !== undefined)
    if (cells.length < 3 || !cells.every(({ value }) => typeof value === 'string' && /^\d{1,15}$/.test(value))) return []
    const rank = nameRank('listedStake', path)
    if (!told.every(({ sample, value }) => stakeOf(sample) === value) || (told.length === 0 && rank === UNNAMED)) return []
    const says = new Map(cells.map(({ sample, value }, index) => [`${sample.n} ${index}`, show(value)]))
    return [{ source, path, sample: cells[0]?.value, says, rank, proof: told.length > 0 ? 'events say the same' : undefined }]
  })
}

interface Tokens extends Pick<Told, 'tokenOf' | 'tokenPaths'> {
  readonly idOf: (sample: Sample) => string | undefined
  readonly isSided: (sample: Sample) => boolean
}

/** A mint that is the token of that contest, where the contest was read; one that a contest has at the very place needs no more. */
function tokensIn(columns: readonly Column[], { tokenOf, tokenPaths, idOf, isSided }: Tokens): Candidate[] {
  return columns.flatMap(({ source, path, cells: all }): Candidate[] => {
    const cells = all.filter(({ sample }) => isSided(sample))
    const told = cells.filter(({ sample }) => tokenOf.has(idOf(sample) ?? ''))
    const right = told.filter(({ sample, value }) => value === tokenOf.get(idOf(sample) ?? ''))
    if (right.length < told.length || !cells.every(({ value }) => value === null || value === undefined || isMint(value))) return []
    const isLikeContest = tokenPaths.has(path) && cells.filter(({ value }) => isMint(value)).length >= LEAST_TOKENS
    if (right.length < 2 && !isLikeContest) return []
    const says = new Map(cells.map(({ sample, value }, index) => [`${sample.n} ${index}`, show(value)]))
    const rank = nameRank('token', path)
    const proof = right.length > 0 ? 'it is the token of those contests that were read' : undefined
    return [{ source, path, sample: cells[0]?.value, says, rank, proof, why: 'a contest has its token there' }]
  })
}

const LEAST_TOKENS = 3
const LEAST_ITEMS = 3

const PAIRS: readonly (readonly [up: string, down: string])[] = [
  ['up', 'down'],
  ['long', 'short'],
  ['higher', 'lower'],
  ['over', 'under'],
]

const isSidedMode = (mode: unknown): boolean => typeof mode === 'string' && isPlayedBy(mode, 'side')

/** The words of sides: of a known pair, as they stand on rows or among options of contests, or as a join with them was taken. */
export function findSideWords({ contests, listed, states, known }: Seen): {
  readonly finding: Finding
  readonly words: SideWords | undefined
} {
  const samples = [...contests, ...listed, ...states].filter(
    ({ mode, values }) => isSidedMode(mode) || [...values.values()].some(isSidedMode),
  )
  const joins = known.moves.flatMap(({ type, accepted, side }) => (type === 'joinContest' && accepted && side !== undefined ? [side] : []))
  if (samples.length === 0 && joins.length === 0) return { finding: none('words.side', 'notSeen'), words: undefined }
  const said = new Set([...joins, ...samples.flatMap(({ values }) => sidesIn([...values.values()]))])
  const pairs = PAIRS.flatMap(([up, down]) => {
    const of = (word: string) => [...said].filter((one) => one.toLowerCase() === word)
    const [ups, downs] = [of(up), of(down)]
    return ups.length === 1 && downs.length === 1 ? [{ UP: ups[0] ?? '', DOWN: downs[0] ?? '' }] : []
  })
  const [words] = pairs
  const candidates = pairs.map((sample) => ({ place: 'words.side', sample }))
  if (words === undefined) return { finding: none('words.side', 'missing'), words: undefined }
  if (pairs.length > 1) return { finding: { name: 'words.side', verdict: 'ambiguous', candidates }, words: undefined }
  const isTaken = joins.some((side) => side === words.UP || side === words.DOWN)
  const [verdict, proof] = isTaken ? (['proven', 'a join with it was taken'] as const) : (['found', 'a known pair'] as const)
  return { finding: { name: 'words.side', verdict, place: words, sample: words, proof, candidates }, words }
}

const isSide = (value: unknown): value is string => isWord(value) && PAIRS.some((pair) => pair.includes(value.toLowerCase()))

/** Words of sides among values, in lists of words, and on rows. */
function sidesIn(values: readonly unknown[]): string[] {
  return values.flatMap((value) => {
    if (isSide(value)) return [value]
    const rows = rowsAt(value)
    if (rows !== undefined) return rows.flatMap((row) => [...pathsIn(row).values()].filter(isSide))
    return Array.isArray(value) ? value.filter(isSide) : []
  })
}

/** Our own side in a contest: what we joined with. */
export function findSide(seen: Seen, { own, rowOf }: OwnFound): Finding {
  const joins = new Map(
    [...seen.known.contests].flatMap(([id, { moves }]) =>
      moves.flatMap(({ type, side }) => (type === 'joinContest' && side !== undefined ? [[id, side] as const] : [])),
    ),
  )
  const samples = seen.contests.filter(({ isOurs, id }) => isOurs && joins.has(id ?? ''))
  if (samples.length === 0) return none('side', 'notSeen')
  const rows = own !== undefined && 'rows' in own ? rowColumns(samples, rowOf) : []
  const candidates = [...columnsIn(samples), ...rows].flatMap(({ source, path, cells }): Candidate[] => {
    if (cells.length < 3 || !cells.every(({ sample, value }) => value === joins.get(sample.id ?? ''))) return []
    if (new Set(joins.values()).size < 2 && nameRank('side', path) === UNNAMED) return []
    return [
      {
        source,
        path,
        sample: cells[0]?.value,
        says: new Map(cells.map(({ sample, value }) => [sample.id ?? '', show(value)])),
        rank: nameRank('side', path),
        proof: 'we joined with it',
      },
    ]
  })
  return decide('side', candidates, true)
}
