import { join } from 'node:path'
import { MODES, type Mode } from '../../../contract/modes.ts'
import type { ReadName } from '../../../contract/procedures.ts'
import { readingOf } from '../../../contract/shapes/reading.ts'
import { needsOf, type Shapes } from '../../../contract/shapes/shapes.ts'
import type { Clock } from '../../../core/clock.ts'
import type { HttpService } from '../../../live/index.ts'
import { find } from '../../../probe/find/find.ts'
import { freeReads } from '../../../probe/freeReads.ts'
import { ProbeRecorder } from '../../../probe/probeRecorder.ts'
import type { Logger } from '../../log.ts'

export interface ExploreOptions {
  readonly dataDir: string
  /** Base address of the service. */
  readonly service: string
  readonly clock: Clock
  readonly log: Logger
}

/** A folder of its own for each probe, named by its time. */
export const probeFolder = (dataDir: string, startedAt: number): string =>
  join(dataDir, 'probes', new Date(startedAt).toISOString().replace(/[-:]|\.\d+/g, ''))

/** Reads what is free to read of a service, records it, and says in three lines what it found. */
export async function explore(http: HttpService, signal: AbortSignal, { dataDir, service, clock, log }: ExploreOptions): Promise<Shapes> {
  const startedAt = clock.now()
  const recorder = new ProbeRecorder({ folder: probeFolder(dataDir, startedAt), service, startedAt })
  const { reads } = await readFree(http, recorder, { clock, signal })
  const { shapes } = find(recorder.exchanges, recorder.facts)
  const found = { ...shapes, service }
  const { unreadable, onTrial } = readingOf(found)
  const pieces = Object.keys(found.pieces ?? {})
  log.info(`${reads} free reads of ${service}, recorded in ${recorder.folder}`)
  log.info(
    `found ${pieces.length === 0 ? 'no piece' : pieces.join(', ')}; on trial, one seat at a time: ${onTrial.length === 0 ? 'no mode' : onTrial.join(', ')}`,
  )
  const closed = MODES.filter((mode) => unreadable[mode] !== undefined)
  if (closed.length > 0)
    log.warn(
      `not entered, since it is not known how to play them here: ${closed.map((mode) => `${mode} (lacks ${lackOf(mode, unreadable)})`).join('; ')}. ` +
        `To find out with real stakes: npm run cornerman -- probe --play --most 2.00, or contestService({ url, probe: { most: usdc('2') } }) in the config`,
    )
  return found
}

const lackOf = (mode: Mode, unreadable: Readonly<Partial<Record<Mode, readonly string[]>>>): string => {
  const lacking = unreadable[mode] ?? []
  return lacking.length === needsOf(mode).length ? 'everything' : lacking.join(', ')
}

/** The free reads, with all that comes of them recorded. */
export async function readFree(
  http: HttpService,
  recorder: ProbeRecorder,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<{ readonly reads: number }> {
  const stop = http.observe((exchange) => recorder.exchange(exchange))
  const read = async (procedure: ReadName, input: unknown): Promise<unknown> => {
    // What does not answer says nothing: it is looked at once more by whoever plays.
    const answer = await http.raw('read', procedure, input).catch(() => undefined)
    if (answer?.ok !== true) return undefined
    if (procedure === 'agent.events') for (const event of eventsIn(answer.json)) recorder.event(event)
    return answer.json
  }
  try {
    return await freeReads({ read, clock, signal, found: () => find(recorder.exchanges, recorder.facts).shapes })
  } finally {
    stop()
  }
}

/** Events of a page that are of the form that the specification gives them. */
export function eventsIn(json: unknown): Parameters<ProbeRecorder['event']>[0][] {
  const { events } = (json ?? {}) as { readonly events?: unknown }
  if (!Array.isArray(events)) return []
  return events.filter(
    (event): event is Parameters<ProbeRecorder['event']>[0] =>
      typeof event?.id === 'string' &&
      typeof event.type === 'string' &&
      typeof event.createdAt === 'string' &&
      typeof event.data === 'object',
  )
}
