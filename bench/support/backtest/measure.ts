import { fork } from 'node:child_process'
import { once } from 'node:events'

const RUNS = 5
/** The compiler goes on until the fifth or sixth. */
const WARM_UP_RUNS = 6

/** Seconds that a run takes, the median of several, once the compiler has seen it often enough. */
export async function warmSeconds(run: () => unknown, { warmUps = WARM_UP_RUNS, runs = RUNS } = {}): Promise<number> {
  const seconds: number[] = []
  for (let index = 0; index < warmUps + runs; index++) {
    const startedAt = performance.now()
    await run()
    seconds.push((performance.now() - startedAt) / 1000)
  }
  return median(seconds.slice(warmUps))
}

export const median = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN

/** As `package.json` starts the command. */
const COMMAND_FLAGS = ['--v8-pool-size=0']

/** What a script of its own process sends when it is called with these. */
export async function inFreshProcess<T>(script: string, ...args: readonly string[]): Promise<T> {
  const child = fork(script, args, { execArgv: [...process.execArgv, ...COMMAND_FLAGS] })
  const [message] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]): never => {
      throw new Error(`${args.join(' ')} ended with ${code} before it had told its figures`)
    }),
  ])
  return message as T
}
