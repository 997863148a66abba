import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'

// Whether a secret stands anywhere as it is, or in a form that anybody reads.

const BASE64_BYTES = 3

/** A salt as text and as the bytes that it stands for, each as it is, in hexadecimal, and in base64 wherever in a longer text it may begin. */
export function clearFormsOf(salt: string): Buffer[] {
  return [Buffer.from(salt), Buffer.from(salt, 'base64url')].flatMap((bytes) => [
    bytes,
    ...[bytes.toString('hex'), bytes.toString('hex').toUpperCase(), ...base64Of(bytes)].map((text) => Buffer.from(text)),
  ])
}

/** What of it does not depend on what stands before and behind it, in both alphabets. */
function base64Of(bytes: Buffer): string[] {
  return Array.from({ length: BASE64_BYTES }, (_, before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    return text.slice(before === 0 ? 0 : BASE64_BYTES + 1, -BASE64_BYTES - 1)
  }).flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')])
}

/** The files below a folder that have one of the forms in them, compressed ones as what they hold; and how many bytes were looked at. */
export function filesWith(forms: readonly Buffer[], folder: string): { readonly found: readonly string[]; readonly bytes: number } {
  const found: string[] = []
  let bytes = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const read = readFileSync(file)
    const content = file.endsWith('.zst') ? zstdDecompressSync(read) : read
    bytes += content.length
    if (forms.some((form) => content.includes(form))) found.push(file)
  }
  return { found, bytes }
}
