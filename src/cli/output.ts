import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { InvalidArgumentError } from 'commander'

/** Reads the path of something that is there. */
export function logPath(path: string): string {
  if (!existsSync(path)) throw new InvalidArgumentError('there is no such file or folder')
  return path
}

/** As `logPath`, of an option that can be given several. */
export const logPaths = (path: string, before: readonly string[] = []): readonly string[] => [...before, logPath(path)]

/** Reads the path of a file that is to be written: said before the work that it is to hold, not after. */
export function newFilePath(path: string): string {
  if (!existsSync(dirname(path))) throw new InvalidArgumentError('there is no such folder to write it in')
  return path
}

/** A time of a log, for a person. */
export const isoTime = (at: number): string => new Date(at).toISOString()

/** Prints what a command found: as one JSON document, or as lines for a person. */
export function print(json: boolean | undefined, document: unknown, lines: readonly string[]): void {
  process.stdout.write(json === true ? `${JSON.stringify(document)}\n` : lines.map((line) => `${line}\n`).join(''))
}
