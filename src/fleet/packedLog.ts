import { deserialize, serialize } from 'node:v8'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { LogData } from '../backtest/index.ts'
import { logOf, type SharedLog, shareLog } from '../backtest/sharedLog.ts'

/** Logs as bytes, for workers elsewhere that run the same framework in the same Node. Where they lay on this host is left out. */
export function packLog(data: LogData): Uint8Array {
  const { at, known, columns, rest } = shareLog({ ...data, paths: [] })
  // What several threads share cannot be written as it is.
  const plain: SharedLog = {
    ...{ at: at.slice(), known: known.slice(), rest },
    columns: columns.map(({ ticks, values, ...column }) => ({ ...column, ticks: ticks.slice(), values: values.slice() })),
  }
  return zstdCompressSync(serialize(plain))
}

export const unpackLog = (bytes: Uint8Array): LogData => logOf(deserialize(zstdDecompressSync(bytes)) as SharedLog)
