import { systemClock } from '../../../src/core/systemClock.ts'
import { openLedger } from '../../../src/optimize/ledger/ledger.ts'

// A process of its own that writes trials: `node appendTrials.ts DATA_DIR NAME COUNT`. Without a count it writes until it is killed.

const [, , dataDir = '', name = '', count = 'Infinity'] = process.argv
const ledger = openLedger({ dataDir, clock: systemClock })
for (let trial = 0; trial < Number(count); trial++) {
  ledger.trial({
    spans: [{ realm: 'sandbox', from: 0, to: 1000 }],
    ...{ fingerprint: `${name}-${trial}`, key: 'k', seed: 1, contests: 10, edge: 0.01 },
  })
  process.stdout.write('.')
}
