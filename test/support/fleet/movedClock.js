// Loaded before a host of a fleet: its wall clock can be set by the file that FAILOVER_CLOCK names, while its monotonic time stays true.

import { readFileSync } from 'node:fs'

const LOOK_MS = 50
const TrueDate = Date
let aheadMs = 0

const look = () => {
  try {
    aheadMs = Number(readFileSync(process.env.FAILOVER_CLOCK, 'utf8'))
  } catch {
    // Nobody has set it.
  }
}
const now = () => TrueDate.now() + aheadMs

look()
setInterval(look, LOOK_MS).unref()

globalThis.Date = new Proxy(TrueDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
