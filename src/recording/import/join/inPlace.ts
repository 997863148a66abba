import { chmodSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { filesOf, writing } from '../../segments.ts'

/** What is compiled of a log is made anew. */
const COMPILED = '.compiled'

/**
 * Puts a log that is written in a folder beside it in the place of one, whole or not at all. What else lies in its folder stays there.
 *
 * @param write makes the new log in the folder that it is given
 * @throws CornermanError `RECORDING_WRITE_FAILED`, or what `write` throws: the log is then as it was
 */
export async function replacedLog<T>(log: string, write: (out: string) => Promise<T>): Promise<T> {
  const folder = resolve(log)
  const beside = (what: string) => writing(folder, () => mkdtempSync(join(dirname(folder), `.${basename(folder)}.${what}-`)))
  const joined = beside('joined')
  try {
    const written = await write(joined)
    writing(folder, () => {
      const segments = new Set(filesOf(folder).map((file) => basename(file)))
      for (const name of readdirSync(folder)) {
        if (!segments.has(name) && name !== COMPILED) renameSync(join(folder, name), join(joined, name))
      }
      // Made for its owner alone; the log may be for others.
      chmodSync(joined, statSync(folder).mode & 0o777)
      const before = beside('before')
      renameSync(folder, join(before, basename(folder)))
      renameSync(joined, folder)
      rmSync(before, { recursive: true, force: true })
    })
    return written
  } catch (thrown) {
    rmSync(joined, { recursive: true, force: true })
    throw thrown
  }
}
