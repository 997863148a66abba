import { hostname } from 'node:os'
import { join } from 'node:path'
import { FleetWorker } from '../../../fleet/fleetWorker.ts'
import { makeDataDir } from '../../dataDir.ts'
import { EXIT } from '../../exit.ts'
import { createLog } from '../../log.ts'
import { softwareVersions } from '../../software.ts'
import { usualWorkers } from '../optimize/pools.ts'
import { Closers } from '../start/closers.ts'
import { Signals } from '../start/signals.ts'
import { type FleetOption, openFleet, openQueue } from './openFleet.ts'
import { playSweep } from './playSweep.ts'
import { openStatePage } from './statePage.ts'

export interface WorkerOptions {
  readonly fleet: FleetOption
  readonly threads?: number
  readonly dataDir: string
  readonly port?: number
  readonly name?: string
}

/**
 * Plays blocks of a fleet's searches until it is stopped.
 *
 * @throws CornermanError what a fleet is refused with
 */
export async function runWorker({
  fleet: option,
  threads = usualWorkers(),
  dataDir,
  port,
  name = hostname(),
}: WorkerOptions): Promise<number> {
  const signals = new Signals()
  const opened = new Closers()
  const log = createLog({ pretty: process.stderr.isTTY === true })
  try {
    makeDataDir(dataDir)
    const fleet = await openFleet(option, Number.POSITIVE_INFINITY, (words) => log.warn(words))
    opened.add(() => fleet.database.close())
    const queue = await openQueue(fleet)
    opened.add(() => queue.close())
    const { cornerman, node } = softwareVersions()
    const worker = new FleetWorker({
      ...{ database: fleet.database, queue, key: fleet.key, framework: fleet.framework, threads, host: name },
      software: `${cornerman} on Node ${node}`,
      open: (sweep) => {
        log.info(`search ${sweep.slice(0, 12)}: loading its log and its bot`)
        return playSweep(fleet, { sweep, threads, cache: join(dataDir, 'fleet') })
      },
      onWords: (words) => log.warn(words),
    })
    if (port !== undefined) {
      const page = await openStatePage(worker, port)
      opened.add(() => page.close())
      log.info(`health and metrics at ${page.url}`)
    }
    const stop = new AbortController()
    signals.listen(() => stop.abort())
    log.info(`worker of ${fleet.framework.slice(0, 8)} with ${threads} ${threads === 1 ? 'thread' : 'threads'}, waiting for blocks to play`)
    await worker.run(stop.signal)
    log.info(`stopped; ${worker.state().played} blocks played`)
    return EXIT.done
  } finally {
    signals.close()
    await opened.close()
  }
}
