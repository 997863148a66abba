import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A run of `start` under some other program, seen as its owner sees it: by the log's file, what it printed, and its exit code. */
export interface WayRun {
  /** The first process: what a supervisor or a terminal is told of. */
  readonly child: ChildProcess
  /** The exit code of the first process; null where a signal ended it. */
  readonly exited: Promise<number | null>
  /** The messages of the log's file. */
  logged(): readonly string[]
  /** Output on stdout; on a terminal also of stderr. */
  printed(): string
  /** Process id of the bots, as this machine has it. */
  pid(): number
  /** True once the process of the bots has ended. */
  isOver(): boolean
  /** Ends whatever is left. */
  kill(): void
}

export interface WayOptions {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly dataDir: string
  readonly env?: Readonly<Record<string, string>>
  /** Runs it under `script`: stdin, stdout and stderr are a terminal, and writes to the child's stdin are typed there. */
  readonly onTerminal?: boolean
  /** Stdout and stderr are pipes, which the test can close; otherwise files. */
  readonly byPipes?: boolean
}

export function runWay({ argv, cwd, dataDir, env = {}, onTerminal = false, byPipes = false }: WayOptions): WayRun {
  mkdirSync(dataDir, { recursive: true })
  const [out, err] = [join(dataDir, 'stdout.txt'), join(dataDir, 'stderr.txt')]
  const files = byPipes ? [] : [openSync(out, 'w'), openSync(err, 'w')]
  const [program = '', ...args] = onTerminal ? ['script', '--quiet', '--return', '--command', quoted(argv), '/dev/null'] : argv
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    detached: true,
    stdio: [onTerminal ? 'pipe' : 'ignore', files[0] ?? 'pipe', files[1] ?? 'pipe'],
  })
  for (const file of files) closeSync(file)
  child.stdin?.on('error', () => {})
  child.stdout?.resume()
  child.stderr?.resume()
  const log = join(dataDir, 'log', 'cornerman.log')
  const logged = () =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .split('\n')
          .filter((line) => line.endsWith('}'))
          .map((line) => (JSON.parse(line) as { readonly msg: string }).msg)
      : []
  let found: number | undefined
  const pid = () => {
    found ??= botsOf(dataDir)
    if (found === undefined) throw new Error(`no process plays on ${dataDir}`)
    return found
  }
  return {
    child,
    exited: once(child, 'exit').then(([code]) => code as number | null),
    logged,
    printed: () => (byPipes ? '' : readFileSync(out, 'utf8')),
    pid,
    isOver: () => !existsSync(`/proc/${pid()}`) || readFileSync(`/proc/${pid()}/stat`, 'utf8').includes(') Z '),
    kill: () => {
      for (const each of [child.pid, botsOf(dataDir)]) if (each !== undefined && existsSync(`/proc/${each}`)) process.kill(each, 'SIGKILL')
    },
  }
}

/** The process whose program is Node, and whose arguments name the data directory. */
function botsOf(dataDir: string): number | undefined {
  const found = readdirSync('/proc').find((entry) => {
    if (!/^\d+$/.test(entry)) return false
    const args = commandOf(Number(entry))
    return args[0]?.endsWith('node') === true && args.some((arg) => /cornerman(\.js)?$/.test(arg)) && args.includes(dataDir)
  })
  return found === undefined ? undefined : Number(found)
}

function commandOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    // It has ended meanwhile.
    return []
  }
}

export const quoted = (argv: readonly string[]): string => argv.map((arg) => `'${arg.replaceAll("'", "'\\''")}'`).join(' ')

/** The child of a process that has one, such as the first process in a namespace of its own. */
export const childOf = (pid: number): number => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0])
