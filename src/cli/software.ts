import { readFileSync } from 'node:fs'
import { z } from 'zod'

const packageSchema = z.object({ version: z.string() })

/** The versions that a recording names. */
export function software(): { readonly cornerman: string; readonly node: string } {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return { cornerman: packageSchema.parse(JSON.parse(text)).version, node: process.versions.node }
}
