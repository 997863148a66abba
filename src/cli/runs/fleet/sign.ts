import { CornermanError } from '../../../core/error.ts'
import { readOrder, writeOrder } from '../../../live/fleet/index.ts'
import { controlJson, controlText, everythingPlays, parseControl } from '../../control.ts'
import { print } from '../../output.ts'
import type { ActOptions } from './acts.ts'
import { type BotFleet, withFleet } from './botFleet.ts'

/** In the table of facts, once the orders of a fleet were signed. */
const SIGNED = 'orders signed'

/**
 * Signs the order that hosts of a version without signatures have left, once, after all hosts were upgraded.
 *
 * @throws CornermanError `FLEET_ORDER` where the fleet had signed orders before, or what a fleet is refused with
 */
export async function signOrders(options: ActOptions): Promise<void> {
  await withFleet(options, async (fleet) => {
    const { order: before, mark, reported } = await readOrder(fleet.connection)
    if (before !== undefined && fleet.signer.hasSigned(before)) {
      print(options.json, { n: before.n, isSigned: true, wasSigned: true }, [`order ${before.n} of ${before.by} is signed already`])
      return
    }
    await expectNeverSigned(fleet, before?.signature ?? null)
    const now = Date.now()
    const control = before === undefined ? everythingPlays : parseControl(before.control)
    const order = fleet.signer.signed({
      ...{ n: Math.max(before?.n ?? 0, reported) + 1, control: controlJson(control, now) },
      ...{ by: fleet.by, said: now },
    })
    if (!(await writeOrder(fleet.connection, mark, order)))
      throw new CornermanError('FLEET_BUSY', 'somebody else has given an order in this moment: look with cornerman fleet, and try again')
    await fleet.ask('INSERT INTO cornerman_fleet.facts VALUES ($1, $2) ON CONFLICT DO NOTHING', [SIGNED, String(now)])
    const words = controlText(control) ?? 'all bots play'
    print(options.json, { n: order.n, isSigned: true, wasSigned: false }, [
      `order ${order.n} is signed: ${words}, as ${before === undefined ? 'nobody had said otherwise' : `${before.by} had said`}`,
      'to say otherwise: cornerman stop --fleet --now, --entries or --resume',
    ])
  })
}

/** Refuses to sign once orders were signed: an unsigned order may then come from somebody without the key. */
async function expectNeverSigned(fleet: BotFleet, signature: string | null): Promise<void> {
  const [row] = await fleet.ask<{ value: string }>('SELECT value FROM cornerman_fleet.facts WHERE key = $1', [SIGNED])
  if (row === undefined && signature === null) return
  throw new CornermanError(
    'FLEET_ORDER',
    'the orders of this fleet were signed before, and the one that is there now was written without the key: find out who can write to the database. Then give the order anew: cornerman stop --fleet --now, or --resume',
  )
}
