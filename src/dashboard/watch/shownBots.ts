import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { BotRow, CurvePoint } from './views.ts'

/** Of what is read: nothing that is small is to grow without end. */
const MOST_READ_BYTES = 4 * 1024 * 1024
/** Another number is another form of it. */
const FORM = 1

/** A bot as the host that plays it shows it to the others. */
export interface ShownBot {
  readonly row: BotRow
  /** Of its curve, as much as is needed to tell what a day and a week have brought. */
  readonly before: readonly CurvePoint[]
}

/** What one host shows. */
export interface ShownBots {
  /** The address of its page, without a token; undefined where it has none. */
  readonly page?: string | undefined
  readonly bots: readonly ShownBot[]
}

/** Each leaves out more of a line than the one before; what no page shows of a fleet goes first. */
const SHORTER: readonly ((bot: ShownBot) => ShownBot)[] = [
  (bot) => bot,
  ({ row, before }) => ({ before, row: { ...row, open: row.open.slice(0, 4), troubles: row.troubles.slice(0, 3) } }),
  ({ row }) => ({ before: [], row: { ...row, open: [], lastResults: [], troubles: row.troubles.slice(0, 1) } }),
]

/** As bytes, at most so many: of more bots than there is room for less is said, and of the last ones nothing. */
export function shownBytes(shown: ShownBots, mostBytes: number): Uint8Array {
  for (const shorter of SHORTER) {
    const bytes = bytesOf({ ...shown, bots: shown.bots.map(shorter) })
    if (bytes !== undefined && bytes.length <= mostBytes) return bytes
  }
  const half = shown.bots.slice(0, Math.floor(shown.bots.length / 2))
  return half.length === 0 ? new Uint8Array() : shownBytes({ ...shown, bots: half }, mostBytes)
}

/** Undefined where whoever reads it would not read so much. */
function bytesOf(shown: ShownBots): Uint8Array | undefined {
  const json = Buffer.from(JSON.stringify({ form: FORM, ...shown }))
  return json.length > MOST_READ_BYTES ? undefined : zstdCompressSync(json)
}

/** Undefined where a host of another version has another form of it, or it cannot be read. */
export function readShown(bytes: Uint8Array): ShownBots | undefined {
  try {
    const { form, ...shown } = JSON.parse(zstdDecompressSync(bytes, { maxOutputLength: MOST_READ_BYTES }).toString()) as ShownBots & {
      readonly form: number
    }
    return form === FORM ? shown : undefined
  } catch {
    return undefined
  }
}
