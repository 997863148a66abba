import { type LogLine, readLog } from '../../../recording/index.ts'
import { isoTime, print } from '../../output.ts'

export interface ShowOptions {
  readonly limit: number
  readonly kind?: LogLine['kind']
  readonly json?: boolean
}

export function show(path: string, { limit, kind, json }: ShowOptions): void {
  const lines = linesOf(path, kind).take(limit).toArray()
  print(json, { lines }, lines.map(textOf))
}

function* linesOf(path: string, kind: LogLine['kind'] | undefined): Generator<LogLine> {
  for (const { line } of readLog(path)) if (kind === undefined || line.kind === kind) yield line
}

function textOf({ kind, ...fields }: LogLine): string {
  if (!('at' in fields)) return `${kind} ${JSON.stringify(fields)}`
  const { at, ...rest } = fields
  return `${isoTime(at)} ${kind} ${JSON.stringify(rest)}`
}
