import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { isFolder } from '../recording/segments.ts'

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
  if (isFolder(path)) throw new InvalidArgumentError('it is a folder: name a file in it')
  try {
    accessSync(existsSync(path) ? path : dirname(path), constants.W_OK)
  } catch {
    throw new InvalidArgumentError('it may not be written')
  }
  return path
}

/** Reads the path of a folder that is there or can be made. */
export function folderPath(path: string): string {
  for (let part = resolve(path); ; part = dirname(part)) {
    // A drive that is not there is its own parent.
    if (isFolder(part) || part === dirname(part)) return path
    if (existsSync(part)) throw new InvalidArgumentError(`${part} is a file: name a folder`)
  }
}

/** Reads the path of a folder that is there. An empty one is refused with the other options that are empty. */
export function presentFolderPath(path: string): string {
  if (path !== '' && !isFolder(folderPath(path))) throw new InvalidArgumentError('there is no such folder')
  return path
}

/** A time of a log, for a person. */
export const isoTime = (at: number): string => new Date(at).toISOString()

/** Prints what a command found: as one JSON document, or as lines for a person. */
export function print(json: boolean | undefined, document: unknown, lines: readonly string[]): void {
  process.stdout.write(json === true ? `${JSON.stringify(document)}\n` : lines.map((line) => `${line}\n`).join(''))
}
