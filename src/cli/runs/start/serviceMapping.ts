import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { hashOf, type Reading, readingOf } from '../../../contract/shapes/reading.ts'
import { sandboxShapes } from '../../../contract/shapes/sandboxShapes.ts'
import type { Piece, Shapes } from '../../../contract/shapes/shapes.ts'
import { Translator } from '../../../contract/shapes/translator.ts'
import type { HttpService } from '../../../live/index.ts'
import type { Config, ContestServiceConfig } from '../../../strategy/config.ts'
import type { Logger } from '../../log.ts'
import { givenShapes, overlaid, readShapes, writeShapes } from '../../shapesFile.ts'

/** How a service's answers are read. */
export interface ServiceReading {
  /** What stands in recordings and reports; undefined where the answers are read as they come. */
  readonly shapes: Shapes | undefined
  /** What decides over entries; undefined in a world where nothing is unknown. */
  readonly reading: Reading | undefined
}

/** Decides, once a process, how the answers of the service are read. */
export interface ServiceMapping {
  /**
   * Before a bot plays: the first one that asks may take a while.
   *
   * @param http says who the agent is already
   */
  readBy(http: HttpService, signal: AbortSignal): Promise<ServiceReading>
}

/** The sandbox's own: nothing of it is unknown. */
const OPEN: ServiceReading = { shapes: sandboxShapes, reading: undefined }
const SANDBOX_HASH = hashOf(sandboxShapes)

/** Below the data directory: what a start has found of a service without a mapping. */
export const foundShapesFile = (dataDir: string): string => join(dataDir, 'probes', 'found.shapes.json')

/** What an earlier start has found of this service; undefined where none has. */
export function foundShapes(dataDir: string, { url }: ContestServiceConfig): Shapes | undefined {
  const file = foundShapesFile(dataDir)
  const found = existsSync(file) ? readShapes(file) : undefined
  return found?.service === url ? found : undefined
}

export interface ServiceMappingOptions {
  readonly config: Config
  readonly configFile: string | undefined
  readonly dataDir: string
  readonly log: Logger
  /** Finds out what is free to read, of a service that is not known. */
  readonly explore: (http: HttpService, signal: AbortSignal) => Promise<Shapes>
}

/**
 * The mapping of the config or its file; of a service without one that of the sandbox, where the config names it so, or what is found at no cost.
 *
 * @throws CornermanError `CONFIG_INVALID`, `SHAPES_MISSING`, `SHAPES_INVALID` or `SHAPES_OF_ANOTHER`
 */
export function openServiceMapping({ config, configFile, dataDir, log, explore }: ServiceMappingOptions): ServiceMapping {
  const { service } = config
  if (service.kind === 'sandbox') return { readBy: () => Promise.resolve(OPEN) }
  const given = givenShapes(service, configFile ?? 'bots.config.ts')
  if (given?.isWhole === true) {
    const isSandboxs = hashOf(given.shapes) === SANDBOX_HASH
    if (!isSandboxs) log.info(`the service is read by ${given.from.join(', over it ')}: ${brief(given.shapes)}`)
    return { readBy: (http) => Promise.resolve(isSandboxs ? OPEN : used(given.shapes, service, http)) }
  }
  let decided: Promise<Shapes | 'sandbox'> | undefined
  return {
    async readBy(http, signal) {
      decided ??= decide({ http, signal, service, dataDir, log, explore })
      const shapes = await decided
      if (shapes !== 'sandbox') return used(overlaid(shapes, given?.shapes), service, http)
      http.expectsSandbox = true
      return { shapes: sandboxShapes, reading: readingOf(sandboxShapes, { isProven: true }) }
    },
  }
}

function used(shapes: Shapes, { paths }: ContestServiceConfig, http: HttpService): ServiceReading {
  http.translator = new Translator(shapes, paths)
  return { shapes, reading: readingOf(shapes) }
}

interface Decide extends Pick<ServiceMappingOptions, 'dataDir' | 'log' | 'explore'> {
  readonly http: HttpService
  readonly signal: AbortSignal
  readonly service: ContestServiceConfig
}

async function decide({ http, signal, service, dataDir, log, explore }: Decide): Promise<Shapes | 'sandbox'> {
  if (await isNamedSandbox(http, service)) {
    log.info(`${service.url} is this project's sandbox: its answers are known`)
    return 'sandbox'
  }
  if (service.sandbox)
    log.warn(
      `the config says sandbox: true, and ${service.url} is none, or something on the way changes its answers: it is read like any service`,
    )
  else if (http.isSandbox)
    log.warn(
      `${service.url} calls itself this project's sandbox, which proves nothing: it is read like any service. If you run it, write contestService({ url, sandbox: true })`,
    )
  const file = foundShapesFile(dataDir)
  const kept = foundShapes(dataDir, service)
  if (kept !== undefined) {
    log.info(`the service is read by ${file}, which an earlier start has found (without it, it is looked for anew): ${brief(kept)}`)
    return kept
  }
  log.warn(
    `${service.url} has no mapping (service.shapes.json): what is free to read is read now, at most 60 reads, and nothing is entered meanwhile`,
  )
  const found = await explore(http, signal)
  mkdirSync(join(dataDir, 'probes'), { recursive: true, mode: 0o700 })
  writeShapes(file, found)
  return found
}

/** True if the config says `sandbox: true` and no proxy changes the answers. The header alone proves nothing: anyone can send it. */
export async function isNamedSandbox(http: HttpService, { sandbox }: Pick<ContestServiceConfig, 'sandbox'>): Promise<boolean> {
  if (!sandbox) return false
  for (const procedure of ['agent.me', 'agent.queue.list', 'agent.contests.mine'] as const)
    await http.readAtStart({ procedure, input: null })
  await http.readAtStart({ procedure: 'agent.contests.list', input: { status: 'open' } })
  return http.isSandbox
}

/** What a mapping comes to, in a few words. */
function brief(shapes: Shapes): string {
  const { unreadable, onTrial } = readingOf(shapes)
  const closed = Object.keys(unreadable)
  const count = Object.keys(shapes.pieces ?? {}).length
  const trial = onTrial.length === 0 ? '' : `, ${onTrial.join(', ')} ${onTrial.length === 1 ? 'begins' : 'begin'} on trial`
  return `${count} ${count === 1 ? 'piece' : 'pieces'}${trial}${closed.length === 0 ? '' : `, not to be played by it: ${closed.join(', ')}`}`
}

/** For recordings and reports: the mapping's hash, and where each piece is. */
export function shapesSummary(
  shapes: Shapes | undefined,
): { readonly hash: string; readonly pieces: Readonly<Partial<Record<Piece, unknown>>> } | undefined {
  return shapes === undefined ? undefined : { hash: hashOf(shapes), pieces: shapes.pieces ?? {} }
}
