// `npm exec -- node bench/swapVerdicts.ts`: what the inspection says of each real swap in the data and of routes of two hops, and why. The
// table is in docs/inspection.md, and a test holds it to this.

import { swapVerdicts } from '../test/support/guard/inspection/swapVerdicts.ts'

console.log(swapVerdicts().join('\n'))
