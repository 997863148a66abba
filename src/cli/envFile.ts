import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { CornermanError, messageOf } from '../core/error.ts'

/** The marks that editors put before a text: of UTF-8, and of UTF-16 with the lower or the higher byte first. */
const MARKS = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
] as const

/**
 * Sets the variables of a file of lines `NAME=value` that the environment does not have already. The file may be of UTF-8 or, with the mark
 * that says so, of UTF-16: some editors save it so, and its first name, or every one, would otherwise be another than it looks.
 *
 * @throws CornermanError `ENV_FILE`; no value is in the message
 */
export function loadEnvFile(file: string, env: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(parseEnv(textOf(file)))) env[name] ??= value
}

function textOf(file: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (cause) {
    throw new CornermanError('ENV_FILE', `${file} cannot be read (${messageOf(cause)}): make it a file that you may read, or remove it`, {
      cause,
    })
  }
  const [encoding, mark] = MARKS.find(([, start]) => start.every((byte, index) => bytes[index] === byte)) ?? ['utf-8', []]
  let text: string
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes.subarray(mark.length))
  } catch {
    throw notText(file)
  }
  // UTF-16 without its mark reads as UTF-8 with a NUL in every second place.
  if (text.includes('\0')) throw notText(file)
  return text
}

const notText = (file: string): CornermanError =>
  new CornermanError('ENV_FILE', `${file} is neither UTF-8 nor UTF-16 with a mark at its beginning: save it as UTF-8`)
