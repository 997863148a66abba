import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { LogError } from '../logError.ts'
import type { OnProgress } from '../scanLog.ts'
import { filesOf, inSegment, isFolder, storedBytes } from '../segments.ts'
import { collectLog, otherTextsOf } from './collectLog.ts'
import { COMPILED_VERSION, type CompiledContent, readCompiled, readLines, writeCompiled } from './compiledFile.ts'
import { type CompiledLog, compiledLogOf, type StoredLog } from './compiledPrices.ts'
import { joinLogs } from './joinLogs.ts'

const CACHE_FOLDER = '.compiled'
const SUFFIX = '.arrow'
const UNFINISHED = /\.arrow\.[^.]+\.tmp$/
/** A recording that goes on is compiled anew after every change: of the caches in a folder, the newest are kept. */
const KEPT = 4
/** An unfinished file that is so much older than the newest one is of a writer that died. */
const LEFT_MS = 60 * 60_000

export interface CompileOptions {
  /** Instead of `.compiled` in, or beside, each log. */
  readonly cacheFolder?: string
  /** Told of the bytes of all logs together. */
  readonly onProgress?: OnProgress | undefined
}

/**
 * Recorded logs with their prices as columns. A log is compiled when it is first asked for, into a cache that is taken from then
 * on until the log changes; where the cache cannot be written, it is only returned. Caches may be deleted at any time.
 *
 * Of several logs that overlap in time the one that began first counts: what another says of a time up to its end, gaps
 * in it included, is left out.
 *
 * @param logs recordings' folders or single segments
 * @throws LogError as `readLog`
 */
export function compileLog(logs: string | readonly string[], { cacheFolder, onProgress }: CompileOptions = {}): CompiledLog {
  const caches = (typeof logs === 'string' ? [logs] : logs).map((log) => ({ log, file: cacheOf(log, cacheFolder) }))
  const used = new Set(caches.flatMap(({ file }) => file ?? []))
  const missing = [...used].filter((file) => !existsSync(file))
  const sizes = onProgress === undefined ? [] : caches.map(({ log }) => storedBytes(log))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  let before = 0
  const compiled = caches.map(({ log, file }, index) => {
    const stored = storedLogOf(log, file, (bytes) => onProgress?.(before + bytes, total))
    before += sizes[index] ?? 0
    return compiledLogOf(stored)
  })
  // Only now: of many logs side by side, one would take away the cache of another that is still to be read.
  for (const folder of new Set(missing.map(dirname))) prune(folder, used)
  return joinLogs(compiled)
}

function storedLogOf(log: string, file: string | undefined, onProgress: OnProgress): StoredLog {
  const content = file === undefined ? undefined : (readCompiled(file) ?? compileInto(file, log, onProgress))
  if (file === undefined || content === undefined) return { ...collectLog(log, { onProgress }), others: () => otherTextsOf(log) }
  return { ...content, others: () => othersOf(content, file, log) }
}

/** From the cache. From the log where that is gone: whoever compiles other logs into the same folder may delete it meanwhile. */
const othersOf = ({ frames }: CompiledContent, file: string, log: string): Iterable<string> =>
  existsSync(file) ? readLines(file, frames) : otherTextsOf(log)

/** Named from the content of the log, byte by byte, and the layout of the cache. Undefined where the log cannot be read. */
function cacheOf(log: string, folder = join(isFolder(log) ? log : dirname(log), CACHE_FOLDER)): string | undefined {
  const digest = createHash('sha256').update(`${COMPILED_VERSION}\n`)
  try {
    for (const file of filesOf(log)) {
      const bytes = inSegment(file, (at) => readFileSync(at))
      digest.update(`${basename(file)} ${bytes.length}\n`).update(bytes)
    }
  } catch {
    return undefined
  }
  return join(folder, `${digest.digest('hex').slice(0, 32)}${SUFFIX}`)
}

/** Undefined where it cannot be kept. */
function compileInto(file: string, log: string, onProgress: OnProgress): CompiledContent | undefined {
  try {
    // Beside a log, and for whoever may read that.
    mkdirSync(dirname(file), { recursive: true, mode: statSync(dirname(dirname(file))).mode & 0o777 })
    return writeCompiled(file, { collect: (onOther) => collectLog(log, { onOther, onProgress }) })
  } catch (thrown) {
    if (thrown instanceof LogError) throw thrown
    // A folder that cannot be written, or a full disk: it is compiled again the next time.
    return undefined
  }
}

/** Deletes the oldest caches of a folder but for those that are read now, and what writers that died have left. */
function prune(folder: string, used: ReadonlySet<string>): void {
  try {
    const files = readdirSync(folder)
      .map((name) => join(folder, name))
      .map((file) => ({ file, writtenAt: statSync(file).mtimeMs }))
      .toSorted((a, b) => b.writtenAt - a.writtenAt)
    const newest = files[0]?.writtenAt ?? 0
    const old = files.filter(({ file }) => file.endsWith(SUFFIX)).slice(KEPT)
    const left = files.filter(({ file, writtenAt }) => UNFINISHED.test(file) && newest - writtenAt > LEFT_MS)
    for (const { file } of [...old, ...left]) if (!used.has(file)) rmSync(file)
  } catch {
    // Deleted by another that compiles, or a folder that cannot be written.
  }
}
