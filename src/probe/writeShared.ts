import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ANSWERS_FILE, readExchanges } from './exchange.ts'
import { FACTS_FILE, readFacts } from './facts.ts'
import { shared } from './share.ts'

/**
 * Copies a probe's folder for others to look at: who played it is not in the copy, and nobody can tell from it.
 *
 * @param secret what the stand-ins are made with
 */
export function writeShared(folder: string, out: string, secret: string): void {
  const { exchanges, facts } = shared({ exchanges: readExchanges(folder), facts: readFacts(folder) }, secret)
  mkdirSync(out, { recursive: true })
  writeFileSync(join(out, ANSWERS_FILE), exchanges.map((exchange) => `${JSON.stringify(exchange)}\n`).join(''))
  writeFileSync(join(out, FACTS_FILE), `${JSON.stringify(facts)}\n`)
}
