import { textTable } from '../../../backtest/table/textTable.ts'
import { present, workersOf } from '../../../fleet/workers.ts'
import { formatDuration } from '../../duration.ts'
import { print } from '../../output.ts'
import { type FleetOption, openFleet } from './openFleet.ts'

/** Who works for a fleet. @throws CornermanError what a fleet is refused with */
export async function listWorkers({ fleet: option, json }: { readonly fleet: FleetOption; readonly json?: boolean }): Promise<void> {
  const { database, framework } = await openFleet(option, 0, () => {})
  try {
    const found = await workersOf(database)
    const here = new Set(present(found))
    const workers = found.map((worker) => ({
      ...worker,
      ...{ isPresent: here.has(worker), isOurVersion: worker.framework === framework },
    }))
    const rows = workers.map((worker) => [
      ...[worker.host, `pid ${worker.pid}`, `${worker.playing} of ${worker.threads} threads`, `${worker.played} blocks`],
      `up ${formatDuration(1000 * worker.upSeconds)}`,
      worker.isPresent ? 'works' : `silent for ${formatDuration(1000 * worker.silentSeconds)}`,
      worker.isOurVersion ? 'this version' : `another version: ${worker.framework.slice(0, 8)}, ${worker.software}`,
    ])
    print(json, { framework, workers }, rows.length === 0 ? ['no workers: start one with cornerman worker --fleet'] : textTable(rows))
  } finally {
    await database.close()
  }
}
