import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type FieldName, PIECE_OF } from '../contract/paths.ts'
import { type Piece, SHAPES_VERSION, type Shapes, shapesSchema } from '../contract/shapes/shapes.ts'
import { CornermanError, messageOf } from '../core/error.ts'
import { show } from '../core/show.ts'
import type { Config, ContestServiceConfig } from '../strategy/config.ts'
import { describeIssue } from '../strategy/issue.ts'

// The mapping of a service, as its owner gives it: by the config, over a file beside it.

/** Taken where it stands beside the config. */
const SHAPES_FILE = 'service.shapes.json'

/** A mapping, and where it is from. */
export interface GivenShapes {
  readonly shapes: Shapes
  /** In words, such as `service.shapes.json` or `service.shapes of bots.config.ts`. */
  readonly from: readonly string[]
  /** `paths` alone are no mapping: what else the service has is looked for as where there is none, and they lie over it. */
  readonly isWhole: boolean
}

/** Where `probe --write` writes the mapping, and a start looks for one. */
export const shapesFileOf = (service: ContestServiceConfig, configFile: string): string =>
  typeof service.shapes === 'string'
    ? resolve(dirname(resolve(configFile)), service.shapes)
    : join(dirname(resolve(configFile)), SHAPES_FILE)

/**
 * The mapping that the owner of the bots gives: that of the config over that of the file, piece by piece, and what `paths` say.
 *
 * @returns undefined where there is none
 * @throws CornermanError `CONFIG_INVALID`, `SHAPES_MISSING`, `SHAPES_INVALID` or `SHAPES_OF_ANOTHER`
 */
export function givenShapes(service: ContestServiceConfig, configFile: string): GivenShapes | undefined {
  const file = shapesFileOf(service, configFile)
  const isNamed = typeof service.shapes === 'string'
  if (isNamed && !existsSync(file))
    throw new CornermanError(
      'SHAPES_MISSING',
      `${configFile}: service.shapes = ${show(service.shapes)}: there is no such file; probe --write makes one`,
    )
  const ofFile = existsSync(file) ? readShapes(file) : undefined
  const ofConfig = typeof service.shapes === 'object' ? service.shapes : undefined
  for (const [shapes, where] of [
    [ofFile, file],
    [ofConfig, configFile],
  ] as const)
    expectOwn(shapes, where, service.url)
  const ofPaths = piecesOfPaths(service, ofFile, file)
  const from = [
    ...(ofFile === undefined ? [] : [file]),
    ...(ofConfig === undefined ? [] : [`service.shapes of ${configFile}`]),
    ...(ofPaths === undefined ? [] : [`service.paths of ${configFile}`]),
  ]
  if (from.length === 0) return undefined
  const shapes = [ofPaths, ofConfig].reduce<Shapes>(overlaid, ofFile ?? { version: SHAPES_VERSION })
  return { shapes, from, isWhole: ofFile !== undefined || ofConfig !== undefined }
}

/**
 * For a command that meets the service: a mapping that cannot be used is a mistake of the config, before anything is begun.
 *
 * @throws CornermanError as `givenShapes`
 */
export function expectShapes({ service }: Pick<Config, 'service'>, configFile: string): void {
  if (service.kind === 'contestService') givenShapes(service, configFile)
}

/**
 * Reads a mapping's file.
 *
 * @throws CornermanError `SHAPES_INVALID`: file, piece, value, what is allowed
 */
export function readShapes(file: string): Shapes {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch (thrown) {
    const what = thrown instanceof SyntaxError ? 'is no JSON' : 'cannot be read'
    throw new CornermanError('SHAPES_INVALID', `${file}: ${what}: ${messageOf(thrown)}`)
  }
  const { version } = (typeof json === 'object' && json !== null ? json : {}) as { readonly version?: unknown }
  if (typeof version === 'number' && version > SHAPES_VERSION) {
    const message = `${file}: version = ${version}: this release reads version ${SHAPES_VERSION} and older; update the project, or probe anew`
    throw new CornermanError('SHAPES_INVALID', message)
  }
  const parsed = shapesSchema.safeParse(json)
  if (parsed.success) return parsed.data
  const lines = parsed.error.issues.map((issue) => describeIssue(issue, json, NAMES))
  throw new CornermanError('SHAPES_INVALID', `${file}: ${lines.join(`\n${file}: `)}`, { details: { file, issues: lines } })
}

const NAMES = {
  whole: 'the mapping',
  showsObjects: true,
  unknownField: ([part, kind]: readonly PropertyKey[]) =>
    `no such ${part === 'words' && kind !== undefined ? 'meaning' : 'piece'}; check its spelling against docs/shapes.md`,
}

/** Writes a mapping in place of the one before, which is kept as `.prev`. */
export function writeShapes(file: string, shapes: Shapes): void {
  const text = shapesText(shapes)
  const fresh = `${file}.new`
  writeFileSync(fresh, text, { mode: 0o600 })
  chmodSync(fresh, 0o600)
  if (existsSync(file)) renameSync(file, `${file}.prev`)
  renameSync(fresh, file)
}

/** A mapping as its file has it: a line a piece. */
export const shapesText = (shapes: Shapes): string => `${JSON.stringify(shapes, null, 2)}\n`

/** The same service, however its address ends. */
const baseOf = (url: string): string => url.replace(/\/+$/, '')

function expectOwn(shapes: Shapes | undefined, where: string, url: string): void {
  if (shapes?.service === undefined || baseOf(shapes.service) === baseOf(url)) return
  throw new CornermanError(
    'SHAPES_OF_ANOTHER',
    `${where}: the mapping was made for ${shapes.service}, and the config plays at ${url}: probe this service, or name its mapping in service.shapes`,
  )
}

/** What `paths` say, as far as they say one place: a mapping of before. Which answer has it they do not say. */
function piecesOfPaths({ paths }: ContestServiceConfig, ofFile: Shapes | undefined, file: string): Shapes | undefined {
  const pieces = new Map<Piece, unknown>()
  for (const [field, places] of Object.entries(paths) as [FieldName, readonly string[]][]) {
    const piece = PIECE_OF[field] ?? (field as Piece)
    const [only, ...more] = places
    if (ofFile?.pieces?.[piece] !== undefined) {
      const message = `service.paths.${field}: ${file} says in pieces.${piece} where it is: leave one of the two out`
      throw new CornermanError('CONFIG_INVALID', message)
    }
    const source = SOURCE_OF[field]
    if (only === undefined || more.length > 0 || source === undefined) continue
    const at = `${source}:${only}`
    const place = field === 'turnEntryId' ? { at, is: 'entryId' } : field === 'yourTurn' ? { at, is: 'flag' } : at
    // Two fields of before that say one piece, each in its way, are tried both.
    pieces.set(piece, pieces.has(piece) ? undefined : place)
  }
  // A path with an index was one of before: it is tried, and pins nothing.
  const pinned = [...pieces].filter(([piece, at]) => at !== undefined && isPlace(piece, at))
  return pinned.length === 0 ? undefined : shapesSchema.parse({ version: SHAPES_VERSION, pieces: Object.fromEntries(pinned) })
}

const isPlace = (piece: Piece, at: unknown): boolean => shapesSchema.safeParse({ version: SHAPES_VERSION, pieces: { [piece]: at } }).success

/** Where a field of before is looked for. */
const SOURCE_OF: Readonly<Partial<Record<FieldName, 'ticket' | 'contest' | 'state'>>> = {
  ticketId: 'ticket',
  contestId: 'contest',
  entryId: 'contest',
  token: 'contest',
  ...Object.fromEntries(
    (
      [
        'phase',
        'yourTurn',
        'turnEntryId',
        'pickBy',
        'available',
        'mine',
        'theirs',
        'round',
        'committed',
        'commitBy',
        'revealFrom',
        'revealed',
      ] as const
    ).map((field) => [field, 'state' as const]),
  ),
}

/** One mapping over another, piece by piece; words of one kind are replaced together. */
export function overlaid(under: Shapes, over: Shapes | undefined): Shapes {
  if (over === undefined) return under
  const merged = { ...under, ...over }
  for (const part of ['lists', 'records', 'pieces', 'words'] as const) {
    if (under[part] === undefined || over[part] === undefined) continue
    Object.assign(merged, { [part]: { ...under[part], ...over[part] } })
  }
  return merged
}
