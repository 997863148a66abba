import type { BotRow, BotView, FleetView } from '../../src/dashboard/watch/views.ts'
import { ScriptedDesk } from './scriptedDesk.ts'

export const LONG_NAME = `a${'-very'.repeat(6)}-9`

/** Of bots that have become rich, one of which is called at length. */
export class LargeDesk extends ScriptedDesk {
  override fleet(): FleetView {
    const { bots, ...rest } = super.fleet()
    return { ...rest, bots: bots.map((row, index) => largeOf(row, index === 0 ? LONG_NAME : row.name)) }
  }

  override bot(name: string): BotView | undefined {
    const view = super.bot(name === LONG_NAME ? 'alice' : name)
    return view && { ...view, row: largeOf(view.row, name) }
  }
}

function largeOf(row: BotRow, name: string): BotRow {
  const large = { bankroll: '1234567890123', inPlay: '98765432109', profit: '-123456789012' }
  const today = { ...row.today, lost: '123456780000', inPlay: '98765432109', cap: '500000000000', serviceCap: '1000000000000' }
  return { ...row, ...large, name, today, lastResults: Array.from({ length: 12 }, () => 'WIN'), faults: 123_456, unknown: 12 }
}
