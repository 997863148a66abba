import { join, resolve } from 'node:path'
import { shareLog } from '../../../backtest/sharedLog.ts'
import { takeBlob } from '../../../fleet/blobs.ts'
import { layBundle } from '../../../fleet/bundle.ts'
import { unpackLog } from '../../../fleet/packedLog.ts'
import { takeSweep } from '../../../fleet/sweepSpec.ts'
import type { BlockJob } from '../../../optimize/blockJob.ts'
import type { Pool } from '../../../optimize/pool.ts'
import type { BlockResult } from '../../../optimize/runBlock.ts'
import { ROOT } from '../../root.ts'
import { openPool } from '../optimize/pools.ts'
import { type Given, moved } from './given.ts'
import type { Fleet } from './openFleet.ts'

/**
 * Opens threads for a search of a fleet. Of what is not signed with its key nothing is loaded.
 *
 * @param cache a folder of this host, kept from one search to the next
 * @throws CornermanError `BUNDLE_UNSIGNED`, `BLOB_DAMAGED`
 */
export async function playSweep(
  { database, key }: Fleet,
  { sweep, cache, threads }: { readonly sweep: string; readonly cache: string; readonly threads: number },
): Promise<Pool<BlockJob, BlockResult>> {
  const spec = await takeSweep(database, key, sweep)
  const { subject, terms, code, sealedFrom } = spec.given as Given
  const blobs = join(cache, 'blobs')
  const log = await takeBlob(database, spec.log, blobs)
  const bundle = await takeBlob(database, spec.bundle, blobs)
  const folder = resolve(cache, 'bundles', spec.bundle)
  layBundle(bundle, folder, ROOT)
  const here = moved(subject, (file) => join(folder, file))
  return openPool({ subject: here, terms, code }, { log: shareLog(unpackLog(log)), sealedFrom, workers: threads, attempts: 1 })
}
