import { type Command, Option } from 'commander'
import { type LogLine, readLog } from '../../../recording/index.ts'
import { isoTime, logPath, print } from '../../output.ts'
import { wholeFrom } from '../../whole.ts'

const KINDS = ['header', 'mints', 'prices', 'input', 'output', 'contest'] as const satisfies readonly LogLine['kind'][]

interface ShowOptions {
  readonly limit: number
  readonly kind?: LogLine['kind']
  readonly json?: boolean
}

export function addShow(logs: Command): void {
  logs
    .command('show')
    .description('the first lines of a log')
    .argument('<path>', "a recording's folder, or one segment", logPath)
    .option('--limit <n>', 'how many', wholeFrom(1), 20)
    .addOption(new Option('--kind <kind>', 'lines of this kind alone').choices(KINDS))
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  npm run cornerman -- logs show .cornerman/recordings/alice --kind output --limit 5')
    .action((path: string, { limit, kind, json }: ShowOptions) => {
      const lines = linesOf(path, kind).take(limit).toArray()
      print(json, { lines }, lines.map(textOf))
    })
}

function* linesOf(path: string, kind: LogLine['kind'] | undefined): Generator<LogLine> {
  for (const { line } of readLog(path)) if (kind === undefined || line.kind === kind) yield line
}

function textOf({ kind, ...fields }: LogLine): string {
  if (!('at' in fields)) return `${kind} ${JSON.stringify(fields)}`
  const { at, ...rest } = fields
  return `${isoTime(at)} ${kind} ${JSON.stringify(rest)}`
}
