import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ANSWERS_WITH } from '../../../contract/shapes/reading.ts'
import type { HttpService } from '../../../live/index.ts'
import { type WireExchange, withoutSecrets } from '../../../probe/probeRecorder.ts'

/** Which answers may have had the piece, by what its place begins with; a list's is its name. */
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  ...ANSWERS_WITH,
  tickets: ['agent.queue.list'],
  mine: ['agent.contests.mine'],
  open: ['agent.contests.list'],
}

/**
 * Keeps the newest answer of each kind, so that one which was read otherwise than before can be looked at.
 *
 * @returns writes those that may have had a piece, and says where
 */
export function keepDrift(http: HttpService, dataDir: string): (place: string, at: number) => string {
  const newest = new Map<string, WireExchange>()
  http.observe((exchange) => newest.set(exchange.procedure, exchange))
  return (place, at) => {
    const folder = join(dataDir, 'probes')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const file = join(folder, `drift-${new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')}.jsonl`)
    for (const procedure of ANSWERS[place.split(':')[0] ?? ''] ?? []) {
      const exchange = newest.get(procedure)
      if (exchange !== undefined) appendFileSync(file, `${JSON.stringify(withoutSecrets(exchange))}\n`, { mode: 0o600 })
    }
    return file
  }
}
