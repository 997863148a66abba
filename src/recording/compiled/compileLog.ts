import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { filesOf, isFolder } from '../segments.ts'
import { collectLog } from './collectLog.ts'
import { COMPILED_VERSION, readCompiled, writeCompiled } from './compiledFile.ts'
import { type CompiledLog, compiledLogOf, type StoredLog } from './compiledPrices.ts'
import { joinLogs } from './joinLogs.ts'

const CACHE_FOLDER = '.compiled'
const SUFFIX = '.arrow'
/** A recording that goes on is compiled anew after every change: of the caches in a folder, the newest are kept. */
const KEPT = 4

/**
 * Recorded logs with their prices as columns. A log is compiled when it is first asked for, into a cache that is taken from then
 * on until the log changes; where the cache cannot be written, it is only returned. Caches may be deleted at any time.
 *
 * Of several logs that overlap in time the one that began first counts: what another says of a time up to its end, gaps
 * in it included, is left out.
 *
 * @param logs recordings' folders or single segments
 * @param cacheFolder instead of `.compiled` in, or beside, each log
 * @throws LogError as `readLog`
 */
export function compileLog(logs: string | readonly string[], cacheFolder?: string): CompiledLog {
  return joinLogs((typeof logs === 'string' ? [logs] : logs).map((log) => compiledLogOf(storedLogOf(log, cacheFolder))))
}

function storedLogOf(log: string, cacheFolder = join(isFolder(log) ? log : dirname(log), CACHE_FOLDER)): StoredLog {
  const name = nameOfCache(log)
  const cached = name === undefined ? undefined : readCompiled(join(cacheFolder, name))
  if (cached !== undefined || name === undefined) return cached ?? collectLog(log)
  const stored = collectLog(log)
  keep(cacheFolder, name, stored)
  return stored
}

/** From the content of the log, byte by byte, and the layout of the cache. Undefined where the log cannot be read. */
function nameOfCache(log: string): string | undefined {
  const digest = createHash('sha256').update(`${COMPILED_VERSION}\n`)
  try {
    for (const file of filesOf(log)) {
      const bytes = readFileSync(file)
      digest.update(`${basename(file)} ${bytes.length}\n`).update(bytes)
    }
  } catch {
    return undefined
  }
  return `${digest.digest('hex').slice(0, 32)}${SUFFIX}`
}

function keep(folder: string, name: string, stored: StoredLog): void {
  try {
    mkdirSync(folder, { recursive: true })
    writeCompiled(join(folder, name), stored)
    const files = readdirSync(folder)
      .filter((file) => file.endsWith(SUFFIX))
      .map((file) => join(folder, file))
    for (const file of files.toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs).slice(KEPT)) rmSync(file)
  } catch {
    // A folder that cannot be written, or a full disk: it is compiled again the next time.
  }
}
