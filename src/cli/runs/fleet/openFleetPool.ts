import { hash } from 'node:crypto'
import { plainJson } from '../../../core/plainJson.ts'
import { putBlob } from '../../../fleet/blobs.ts'
import { bundleOf, packed, pathIn } from '../../../fleet/bundle.ts'
import { FleetPool } from '../../../fleet/fleetPool.ts'
import { packLog } from '../../../fleet/packedLog.ts'
import { dropOld } from '../../../fleet/retention.ts'
import { putSweep } from '../../../fleet/sweepSpec.ts'
import { present, type Worker, wordsOf, workersOf } from '../../../fleet/workers.ts'
import { ownImports } from '../../../live/isolation/ownModules.ts'
import type { BlockJob } from '../../../optimize/blockJob.ts'
import type { Pool } from '../../../optimize/pool.ts'
import type { BlockResult } from '../../../optimize/runBlock.ts'
import type { Prepared } from '../optimize/prepare.ts'
import { type Given, moved } from './given.ts'
import { type FleetOption, openFleet, openQueue } from './openFleet.ts'

/** A night's search outlives a database that is restarted, and is ended by one that is gone: it goes on with --resume. */
const PATIENCE_MS = 15 * 60_000

/**
 * Puts a search where the workers of a fleet take it from: its log up to the seal, and the sources of its bot.
 *
 * @throws CornermanError what a fleet is refused with, `BUNDLE_IMPORT`
 */
export async function openFleetPool(option: FleetOption, { train, plan }: Prepared): Promise<Pool<BlockJob, BlockResult>> {
  const say = (words: string) => void process.stderr.write(`cornerman: ${words}\n`)
  const { subject, terms, code, data, sealedFrom } = train
  const bundle = bundleOf([subject.config, ...(subject.strategies ?? [])], ownImports)
  const fleet = await openFleet(option, PATIENCE_MS, say)
  const queue = await openQueue(fleet)
  const { database, key, framework } = fleet
  await dropOld(database)
  const given: Given = { subject: moved(subject, (file) => pathIn(bundle.root, file)), terms, code, sealedFrom }
  const sweep = await putSweep(database, key, {
    ...{ framework, given, plan: hash('sha256', JSON.stringify(plainJson(plan))) },
    ...{ log: await putBlob(database, packLog(data)), bundle: await putBlob(database, packed(bundle)) },
  })
  let said = ''
  const onWait = async () => {
    const words = whoWorks(await workersOf(database), framework)
    if (words !== said) say(words)
    said = words
  }
  await onWait()
  return new FleetPool({ database, queue, sweep, key, onWait, onWords: say })
}

/** Workers of another version take nothing: it is said who they are. */
function whoWorks(workers: readonly Worker[], framework: string): string {
  const here = present(workers)
  const own = here.filter((worker) => worker.framework === framework)
  const others = here
    .filter((worker) => worker.framework !== framework)
    .map(({ host, framework: other }) => `${host} (${other.slice(0, 8)})`)
  const threads = own.reduce((sum, worker) => sum + worker.threads, 0)
  const apart = others.length === 0 ? '' : `; of another version, which take nothing: ${others.join(', ')}`
  const advice = own.length === 0 ? ': start one with cornerman worker --fleet' : `, ${threads} threads`
  return `${wordsOf(own.length)} of ${framework.slice(0, 8)}${advice}${apart}`
}
