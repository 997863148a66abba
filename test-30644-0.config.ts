import { defineConfig, defineDraftPicker, definePredictor, defineQueuePolicy, defineStrategy, defineTrader } from 'cornerman'
import { enqueue, sandbox, SOL_MINT, swap, usdc, USDC_MINT } from 'cornerman'
import { EMPTY, filter, interval, map, merge, NEVER, of, range, take, tap } from 'rxjs'
import { z } from 'zod'
const params = z.object({})
const entry = (mode: 'up_down' | 'draft_basket' | 'price_prediction') => enqueue({ mode, stake: usdc('1'), durationSec: 15 })
const loop = (): never => {
  for (;;);
}
let asked = 0
export default defineConfig({
  service: sandbox(),
  bots: [{ name: 'alice', strategies: [defineQueuePolicy({ name: 'policy', everySec: 1, params, decide: () => {
        asked += 1
        return asked === 3 ? loop() : [enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 + asked })]
      } })()], guard: { maxStake: usdc('5'), dailyLoss: usdc('20') }, isolate: true }],
})
