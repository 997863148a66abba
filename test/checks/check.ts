// `npm run check`: runs every checker on the project, then proves on copies that each can fail.
// `npm run check -- lint types` runs some of them; `planted` is the name of the proof.

import { resolve } from 'node:path'
import { type Checker, judge, type Verdict } from './checker.ts'
import { CHECKERS } from './checkers/index.ts'
import { doubtsAbout } from './planted.ts'
import { Tree } from './tree.ts'

const PLANTED = 'planted'
const AT_ONCE = 2

const names = [...CHECKERS.map(({ name }) => name), PLANTED]
const wanted = process.argv.length > 2 ? process.argv.slice(2) : names
const unknown = wanted.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`There is no check called ${unknown.join(', ')}. The checks are: ${names.join(', ')}.`)
  process.exit(2)
}

const tree = new Tree(resolve(import.meta.dirname, '../..'))
const red: string[] = []

await forEachOf(
  CHECKERS.filter(({ name }) => wanted.includes(name)),
  async (checker) => {
    const verdict = await judge(checker, tree)
    say(checker.name, verdict.green, describe(checker, verdict), reasons(verdict))
  },
)

if (wanted.includes(PLANTED)) {
  if (red.length > 0) {
    say(PLANTED, false, 'not run: violations are planted in a green tree', [])
  } else {
    const doubts: string[] = []
    await forEachOf(CHECKERS, async (checker) => {
      for (const doubt of await doubtsAbout(checker, tree)) doubts.push(`${checker.name} ${doubt}`)
    })
    const planted = CHECKERS.reduce((sum, { plants }) => sum + plants.length, 0)
    const innocent = CHECKERS.reduce((sum, { innocents }) => sum + Object.keys(innocents).length, 0)
    say(PLANTED, doubts.length === 0, `${planted} violations and ${innocent} innocent files put before ${CHECKERS.length} checkers`, doubts)
  }
}

console.log(red.length === 0 ? 'check: green' : `check: red: ${red.join(', ')}`)
process.exitCode = red.length === 0 ? 0 : 1

function say(name: string, green: boolean, summary: string, details: readonly string[]): void {
  if (!green) red.push(name)
  console.log(`${green ? 'ok ' : 'RED'}  ${name.padEnd(10)} ${summary}`)
  for (const detail of details) console.log(`       ${detail}`)
}

function describe({ counts }: Checker, { scanned, findings, excuse }: Verdict): string {
  const found = findings.length === 0 ? '' : `, ${findings.length} findings`
  return `${scanned} ${counts}${found}${excuse === undefined ? '' : ` (${excuse})`}`
}

function reasons({ findings, reason }: Verdict): string[] {
  const found = findings.map(({ file, line, rule, message }) => `${file}${line ? `:${line}` : ''}  ${message.split('\n')[0]}  [${rule}]`)
  return reason === undefined ? found : [reason, ...found]
}

/** Works on all items, two at a time: the machines this runs on have two cores. */
async function forEachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values()
  const worker = async () => {
    for (const item of rest) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
