import { mkdirSync } from 'node:fs'
import { unreachable } from '../../core/error.ts'
import { type Mint, symbolOf } from '../../core/tokens.ts'
import type { Decision } from '../lines.ts'
import { type PlacedLine, readLog } from '../readLog.ts'
import { refuseTaken } from '../repairLog.ts'
import type { OnProgress } from '../scanLog.ts'
import { csvFile } from './csvFile.ts'
import { parquetFile } from './parquetFile.ts'
import { DECISIONS, EVENTS, PRICES, type TableFile } from './tables.ts'

export type ExportFormat = 'csv' | 'parquet'

/**
 * Writes a log as tables for other tools: `prices`, a row for each price of a token; `decisions`; and `events`, which are
 * all other inputs, and the contests an imported log offers. What differs by type is in `detail`, as JSON.
 *
 * @param out a folder that is empty, or yet to be made
 * @returns the files
 * @throws LogError as `readLog`, CornermanError `LOG_OUT_TAKEN`
 */
export function exportLog(log: string, out: string, format: ExportFormat, onProgress?: OnProgress): string[] {
  refuseTaken(out)
  mkdirSync(out, { recursive: true })
  const fileOf = format === 'csv' ? csvFile : parquetFile
  const prices = fileOf(out, PRICES)
  const decisions = fileOf(out, DECISIONS)
  const events = fileOf(out, EVENTS)
  const files = [prices, decisions, events]
  try {
    writeTables(readLog(log, { onProgress }), { prices, decisions, events })
  } catch (thrown) {
    // Tables of a part of the log would look like those of the whole.
    for (const file of files) file.discard()
    throw thrown
  }
  for (const file of files) file.close()
  return files.map(({ path }) => path)
}

function writeTables(
  lines: Iterable<PlacedLine>,
  { prices, decisions, events }: Record<'prices' | 'decisions' | 'events', TableFile>,
): void {
  let mints: Mint[] = []
  for (const { line } of lines) {
    switch (line.kind) {
      case 'header':
        mints = [...line.mints]
        break
      case 'mints':
        mints.push(...line.mints)
        break
      case 'prices':
        for (const [column, price] of line.prices.entries()) {
          const mint = mints[column] ?? ''
          if (price !== null) prices.write([line.at, line.tick, mint, symbolOf(mint), price, Number(price)])
        }
        break
      case 'input':
        events.write([line.n, line.at, line.type, JSON.stringify(line.body ?? null)])
        break
      case 'contest': {
        const { kind, at, ...contest } = line
        events.write([null, at, kind, JSON.stringify(contest)])
        break
      }
      case 'output':
        for (const decision of line.decisions) decisions.write([line.n, line.at, ...cellsOf(decision)])
        break
      default:
        unreachable(line)
    }
  }
}

function cellsOf(decision: Decision): (string | null)[] {
  const { type, ...detail } = decision
  const named = (field: 'strategy' | 'key') => (field in detail ? String(detail[field as keyof typeof detail]) : null)
  return [type, named('strategy'), named('key'), JSON.stringify(detail)]
}
