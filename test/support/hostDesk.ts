import { elsewhereRowOf, type SeenElsewhere } from '../../src/dashboard/watch/elsewhereRow.ts'
import type { BotRow, BotView, Elsewhere, FleetView } from '../../src/dashboard/watch/views.ts'
import { ScriptedDesk } from './scriptedDesk.ts'

/** The page of the host that plays what is named `bob`. */
export const OTHER_PAGE = 'http://127.0.0.1:8799/'
const SILENT_MS = 42_000

/** Of a host that plays the first bot alone: the second is another host's, the third one's whose word is old, and the fourth nobody's. */
export class HostDesk extends ScriptedDesk {
  override fleet(): FleetView {
    const fleet = super.fleet()
    return { ...fleet, bots: fleet.bots.map((row, index) => rowOf(row, index, fleet.at)) }
  }

  override bot(name: string): BotView | undefined {
    const view = super.bot(name)
    const row = this.fleet().bots.find((one) => one.name === name)
    return view === undefined || row === undefined ? undefined : { ...view, row }
  }
}

function rowOf(row: BotRow, index: number, now: number): BotRow {
  const seen = seenOf(row, index, now)
  return seen === undefined ? row : elsewhereRowOf(row.name, seen, { cap: row.today.cap, stopped: row.stopped, now })
}

function seenOf(row: BotRow, index: number, now: number): SeenElsewhere | undefined {
  const elsewhere: Elsewhere = { host: 'h2', page: OTHER_PAGE, heardAt: now, isSilent: false, note: undefined }
  const shown = { row, before: [] }
  if (index === 1) return { elsewhere, shown, unheldSince: undefined }
  if (index === 2)
    return {
      elsewhere: { ...elsewhere, host: 'h3', page: undefined, heardAt: now - SILENT_MS, isSilent: true },
      shown,
      unheldSince: undefined,
    }
  if (index !== 3) return undefined
  const note = 'nobody plays it: of the hosts that live none has its key and the version that is to play'
  const unheld = { host: undefined, page: undefined, heardAt: undefined, isSilent: true, note }
  return { elsewhere: unheld, shown: undefined, unheldSince: now - SILENT_MS }
}
