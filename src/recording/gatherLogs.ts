import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CornermanError } from '../core/error.ts'
import { checksumAfter, sealed, sealOf } from './checksum.ts'
import type { HeaderLine } from './lines.ts'
import { readLog } from './readLog.ts'
import { refuseTaken } from './repairLog.ts'
import { packLeftovers, plainName } from './segments.ts'

/** One stay of a bot on a host, as it was gathered. */
export interface GatheredRun {
  readonly epoch: number
  readonly host: string
  readonly run: string
  /** The numbers of its first and last input: those of the next turn count on from what the journal had by then. */
  readonly from: number
  readonly to: number
}

export interface Gathered {
  readonly bot: string
  readonly agentId: string | null
  readonly runs: readonly GatheredRun[]
  /** Inputs that are in none of the parts: the first and the last number of each gap. */
  readonly missing: readonly { readonly from: number; readonly to: number }[]
}

interface Run {
  readonly header: HeaderLine
  readonly epoch: number
  readonly host: string
  readonly folder: string
  first: number
  last: number
}

/**
 * Puts the recordings of a bot that several hosts have played by turns together, in the order of the turns.
 *
 * @param parts the folders that the hosts have recorded the bot in
 * @param out a folder, empty or not there yet
 * @throws CornermanError `LOG_PARTS` where they are not parts of one bot's recording; LogError for what is wrong in one of them
 */
export function gatherLogs(parts: readonly string[], out: string): Gathered {
  refuseTaken(out)
  const runs = parts.flatMap((folder) => [...runsIn(folder)]).toSorted((a, b) => a.epoch - b.epoch)
  const [first] = runs
  if (first === undefined) throw wrong(`none of ${parts.join(', ')} has recorded a bot of a fleet`)
  for (const [index, run] of runs.entries()) expectBehind(runs[index - 1], run)
  mkdirSync(out, { recursive: true })
  const missing: { from: number; to: number }[] = []
  const gathered: GatheredRun[] = []
  let name = ''
  for (const [index, run] of runs.entries()) {
    const before = runs[index - 1]
    if (before !== undefined && run.first > before.last + 1) missing.push({ from: before.last + 1, to: run.first - 1 })
    // A clock that was ahead must not put a turn behind those after it.
    name = run.header.run > name ? run.header.run : `${name}.${run.epoch}`
    copyRun(run, name, out)
    gathered.push({ epoch: run.epoch, host: run.host, run: name, from: run.first, to: run.last })
  }
  packLeftovers(out)
  return { bot: first.header.bot, agentId: first.header.agentId, runs: gathered, missing }
}

function* runsIn(folder: string): Generator<Run> {
  let run: Run | undefined
  for (const { line } of readLog(folder)) {
    if (line.kind === 'header') {
      if (run?.header.run === line.run) continue
      if (run !== undefined && run.last > 0) yield run
      const { fleet } = line
      run = fleet === undefined ? undefined : { header: line, ...fleet, folder, first: 0, last: 0 }
    } else if (run !== undefined && 'n' in line && line.n !== undefined) {
      if (run.first === 0) run.first = line.n
      run.last = line.n
    }
  }
  if (run !== undefined && run.last > 0) yield run
}

function expectBehind(before: Run | undefined, run: Run): void {
  if (before === undefined) return
  const [a, b] = [before.header, run.header]
  const both = `${nameOf(before)} and ${nameOf(run)}`
  if (a.bot !== b.bot || a.agentId !== b.agentId)
    throw wrong(`${both} are not of one bot: ${a.bot} of agent ${a.agentId}, ${b.bot} of agent ${b.agentId}`)
  if (before.epoch === run.epoch)
    throw wrong(`${both} say that they are the same turn, and only one host has the bot in a turn: name each part once`)
  if (run.first < before.first)
    throw wrong(
      `${both} are not in the order in which they were played: the later turn begins at input ${run.first}, the earlier one at ${before.first}`,
    )
}

const nameOf = ({ header, epoch, host }: Run): string => `${header.run} (turn ${epoch}, of ${host})`

/** A run by another name is sealed anew. */
function copyRun({ header, folder }: Run, name: string, out: string): void {
  let text = ''
  let checksum = 0
  let segment = 0
  const close = () => {
    if (segment > 0) writeFileSync(join(out, plainName(name, segment)), text)
    text = ''
    checksum = 0
  }
  const write = (body: string) => {
    checksum = checksumAfter(checksum, body)
    text += `${sealed(body, checksum)}\n`
  }
  let isOfRun = false
  for (const { line, text: stated } of readLog(folder)) {
    if (line.kind === 'header') {
      isOfRun = line.run === header.run
      if (!isOfRun) continue
      close()
      segment += 1
      write(JSON.stringify({ ...line, run: name, segment }).slice(0, -1))
    } else if (isOfRun) write(sealOf(stated)?.body ?? stated.trimEnd().slice(0, -1))
  }
  close()
}

const wrong = (what: string): CornermanError => new CornermanError('LOG_PARTS', `logs gather: ${what}`)
