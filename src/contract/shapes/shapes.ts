import { z } from 'zod'
import { MODE_TRAITS, MODES, type Mode } from '../modes.ts'
import { pathOf } from './path.ts'

// The mapping of a service: where each piece stands that the specification leaves open, and in which words. docs/shapes.md shows every form.

/** Where a piece stands: which answer, and the way in it. `listed` is an item of `agent.contests.list`. */
export const PLACE_SOURCES = ['me', 'ticket', 'contest', 'listed', 'state'] as const
export type PlaceSource = (typeof PLACE_SOURCES)[number]
/** Such as `state:turn.userId`. */
export type PlaceText = `${PlaceSource}:${string}`

/** A path that may stand in a mapping; its mistakes are of the field it stands in. */
const pathSchema = z.string().superRefine((text, context) => {
  try {
    pathOf(text)
  } catch (thrown) {
    context.addIssue({ code: 'custom', message: (thrown as Error).message })
  }
})

const PLACE = /^(?:me|ticket|contest|listed|state):/
const ONE_OF = "an answer and a path in it, such as 'state:turn.userId': me, ticket, contest, listed or state comes first"
const placeText = z
  .custom<PlaceText>((value) => typeof value === 'string' && PLACE.test(value), { error: ONE_OF })
  .superRefine((text, context) => {
    try {
      pathOf(text.slice(text.indexOf(':') + 1))
    } catch (thrown) {
      context.addIssue({ code: 'custom', message: (thrown as Error).message })
    }
  })

/** Who says so: `hand`, or `probe 2026-11-26T10:00:00Z proven` and `… found`. Left out: by hand. */
const by = z.string().max(100).optional()

const place = z.union([placeText, z.strictObject({ at: placeText, by })], { error: `${ONE_OF}, or { at: '…' }` })
const time = z.union([placeText, z.strictObject({ at: placeText, as: z.enum(['iso', 'ms', 's', 'leftMs', 'leftSec']).optional(), by })], {
  error: "such as { at: 'state:lockAt', as: 'iso' }; as is iso, ms, s, leftMs or leftSec",
})
const turn = z.union(
  [
    placeText,
    z.strictObject({
      at: placeText,
      is: z.enum(['flag', 'entryId', 'agentId', 'userId', 'handle', 'seat', 'word']),
      /** Of `seat`: where the number of our own seat stands. */
      own: placeText.optional(),
      by,
    }),
  ],
  { error: "such as { at: 'state:turn.userId', is: 'userId' }; is is flag, entryId, agentId, userId, handle, seat or word" },
)
const pool = z.union(
  [
    placeText,
    z.strictObject({
      at: placeText,
      /** Where the mint stands in an item, or `$key` where it is the key of a map. Left out: the items are mints, or have `mint` or `token`. */
      token: pathSchema.optional(),
      /** What an item that can still be picked says. */
      free: z.strictObject({ at: pathSchema, is: z.union([z.null(), z.boolean(), z.string()]) }).optional(),
      /** Lists of what was picked, where the pool holds it still. */
      minus: z.array(placeText).optional(),
      by,
    }),
  ],
  { error: "such as { at: 'state:pool', token: 'mint', free: { at: 'takenBy', is: null } }" },
)
const PHASES = ['before', 'commit', 'draft', 'running', 'reveal', 'over'] as const
export type PhaseMeaning = (typeof PHASES)[number]
const phase = z.union(
  [placeText, z.strictObject({ at: placeText, by }), z.strictObject({ flags: z.partialRecord(z.enum(PHASES), placeText), by })],
  {
    error: "such as 'state:phase', or { flags: { commit: 'state:canCommit' } }",
  },
)
const duration = z.union([placeText, z.strictObject({ at: placeText, unit: z.enum(['ms', 's', 'min']).optional(), by })], {
  error: "such as { at: 'contest:minutes', unit: 'min' }",
})
/** By the probe, where it could not decide: it counts as missing until one is left. */
const choose = z.strictObject({ choose: z.array(placeText).min(2), by })

/** What stands where, by piece: its form of a place, and whether the answers may leave it out. */
const FORMS = {
  agentId: place,
  handle: place,
  userId: place,
  ticketId: place,
  ticketState: place,
  ticketContest: place,
  contestId: place,
  contestState: place,
  mode: place,
  stake: place,
  duration,
  startsAt: time,
  endsAt: time,
  side: place,
  ready: place,
  score: place,
  entryId: place,
  token: place,
  phase,
  commitBy: time,
  revealFrom: time,
  revealBy: time,
  committed: place,
  revealed: place,
  turn,
  pool,
  pickBy: time,
  round: place,
  mine: pool,
  theirs: pool,
  listedContestId: place,
  listedMode: place,
  listedStake: place,
  listedToken: place,
  listedSides: place,
} as const
export type Piece = keyof typeof FORMS
export const PIECES = Object.keys(FORMS) as readonly Piece[]

const piecesSchema = z.strictObject(
  Object.fromEntries(
    Object.entries(FORMS).map(([piece, form]) => [piece, z.union([choose, form], { error: form.def.error as never }).optional()]),
  ) as {
    [P in Piece]: z.ZodOptional<z.ZodUnion<[typeof choose, (typeof FORMS)[P]]>>
  },
)

const words = z.array(z.string().min(1)).min(1)
const wordsOf = <const M extends readonly [string, ...string[]]>(meanings: M) => z.partialRecord(z.enum(meanings), words).optional()

/** What a refusal may mean for who asked (`contract/refusals.ts`). */
export const REFUSAL_MEANINGS = [
  ...(['raceLost', 'notYet', 'tooLate', 'done', 'taken', 'cap', 'broke', 'gone', 'key', 'rate', 'sideWord'] as const),
] as const
export type RefusalMeaning = (typeof REFUSAL_MEANINGS)[number]

const wordsSchema = z.strictObject({
  ticket: wordsOf(['waiting', 'seated', 'over']),
  contest: wordsOf(['open', 'live', 'settled', 'cancelled']),
  phase: wordsOf(PHASES),
  /** Words of `turn` that mean us. */
  turn: words.optional(),
  side: z.strictObject({ UP: z.string().min(1).max(32), DOWN: z.string().min(1).max(32) }).optional(),
  refusal: wordsOf(REFUSAL_MEANINGS),
})

const IDS = ['agentId', 'userId', 'handle', 'entryId'] as const
const own = z.union(
  [
    z.strictObject({ at: pathSchema }),
    z.strictObject({ at: pathSchema.optional(), rows: pathSchema, by: z.record(pathSchema, z.union([z.enum(IDS), z.literal(true)])) }),
    z.strictObject({ rows: pathSchema, seat: pathSchema }),
  ],
  { error: "such as { at: 'you' }, { rows: 'players', by: { userId: 'userId' } } or { rows: 'players', seat: 'yourSeat' }" },
)

/** The newest version of a mapping that is read here. */
export const SHAPES_VERSION = 1

export const shapesSchema = z.strictObject({
  version: z.literal(SHAPES_VERSION),
  /** Base address of the service it was made for. */
  service: z.string().optional(),
  /** Where each list stands in its answer; '' where the answer is the list. */
  lists: z.strictObject({ tickets: pathSchema.optional(), mine: pathSchema.optional(), open: pathSchema.optional() }).optional(),
  /** Where a record begins in its answer, and whether items of lists are wrapped alike. */
  records: z
    .strictObject({
      ticket: pathSchema.optional(),
      contest: pathSchema.optional(),
      state: pathSchema.optional(),
      items: z.enum(['bare', 'wrapped']).optional(),
    })
    .optional(),
  /** Which row, or object, of a contest is the bot's own. */
  own: own.optional(),
  pieces: piecesSchema.optional(),
  words: wordsSchema.optional(),
})

/** A mapping in a config, which needs no version. */
export const shapesInputSchema = shapesSchema.extend({ version: z.literal(SHAPES_VERSION).default(SHAPES_VERSION) })

/**
 * The mapping of a service: where its answers have what the specification leaves open. Written by hand or by `cornerman probe --write`.
 *
 * @example contestService({ url: 'https://contests.example.com/api', shapes: { pieces: { entryId: 'contest:you.entry' } } })
 */
export type ShapesInput = z.input<typeof shapesInputSchema>
/** A mapping as it was read. */
export type Shapes = z.output<typeof shapesSchema>

/**
 * What a mode cannot be played without: a piece, `lists.NAME`, `words.side`, or the phase as far as it is said in known words or flags.
 * Of a list within, one is enough.
 */
export type Need = Piece | `lists.${'tickets' | 'mine' | 'open'}` | 'words.side' | `phase.${'commit' | 'reveal'}` | readonly Need[]

/** Without these a bot does not know what is in play. */
const ALWAYS: readonly Need[] = ['lists.tickets', 'lists.mine', 'ticketId', 'ticketState', 'ticketContest', 'contestId', 'contestState']
const OF_LISTED: readonly Need[] = ['lists.open', 'listedContestId', 'listedMode', 'listedStake', 'listedToken', 'words.side']

/** What a mapping must have for a mode to be entered. */
export function needsOf(mode: Mode): readonly Need[] {
  const { playedBy, needsToken } = MODE_TRAITS[mode]
  switch (playedBy) {
    case 'sealedPrice':
      return [...ALWAYS, 'entryId', 'token', ['commitBy', 'phase.commit'], ['revealFrom', 'phase.reveal']]
    case 'picks':
      return [...ALWAYS, 'turn', 'pool']
    case 'side':
      return [...ALWAYS, ...OF_LISTED]
    case 'swaps':
      return needsToken ? [...ALWAYS, 'token'] : ALWAYS
  }
}

/** Whether a mapping has what is needed: one that is still to be chosen counts as missing. */
export function has(shapes: Shapes, need: Need): boolean {
  if (typeof need !== 'string') return need.some((one) => has(shapes, one))
  if (need === 'words.side') return shapes.words?.side !== undefined
  if (need.startsWith('lists.')) return shapes.lists?.[need.slice('lists.'.length) as 'tickets'] !== undefined
  if (need.startsWith('phase.')) return hasPhase(shapes, need.slice('phase.'.length) as PhaseMeaning)
  return canBeRead(shapes, need as Piece)
}

function hasPhase({ pieces, words: said }: Shapes, meaning: PhaseMeaning): boolean {
  const found = pieces?.phase
  if (!isPinned(found)) return false
  return typeof found === 'object' && 'flags' in found ? found.flags[meaning] !== undefined : said?.phase?.[meaning] !== undefined
}

/** Whether a piece has its one place, and what else it takes to read it. */
function canBeRead({ pieces, own: row, words: said }: Shapes, piece: Piece): boolean {
  const found = pieces?.[piece]
  if (!isPinned(found) || found === undefined) return false
  if (placeIn(found)?.includes('[own]') === true && row === undefined) return false
  if (piece !== 'turn' || typeof found !== 'object' || !('is' in found)) return true
  if (found.is === 'seat') return found.own !== undefined
  // Names of the bot stand in `agent.me`, where the service has them; an entry is another in each contest.
  if (found.is === 'entryId') return isPinned(pieces?.entryId)
  return found.is !== 'word' || said?.turn !== undefined
}

/** Where a piece stands, of whatever form; undefined of one that is said by several places, or that has none. */
export function placeIn(said: object | string | undefined): string | undefined {
  if (typeof said !== 'object') return said
  return 'at' in said && typeof said.at === 'string' ? said.at : undefined
}

const isPinned = (found: object | string | undefined): boolean => found !== undefined && !(typeof found === 'object' && 'choose' in found)

/** A need as a person reads it. */
export const nameOf = (need: Need): string => (typeof need === 'string' ? need : need.map(nameOf).join(' or '))

/** By mode, what a mapping lacks of what the mode needs: one that lacks nothing is not in it. */
export function lackingIn(shapes: Shapes): ReadonlyMap<Mode, readonly Need[]> {
  const lacking = MODES.map((mode) => [mode, needsOf(mode).filter((need) => !has(shapes, need))] as const)
  return new Map(lacking.filter(([, missing]) => missing.length > 0))
}
