import type { ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** How a process ended; `exitCode` is null where a signal ended it. */
export interface ProcessEnd {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number | null
}

/** Waits for the end of a process that was just started. Rejects where it cannot be started: nothing would ever come of it. */
export async function endOf(child: ChildProcessByStdio<null, Readable, Readable>): Promise<ProcessEnd> {
  const ended = once(child, 'close') as Promise<[number | null]>
  const [[exitCode], stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  return { stdout, stderr, exitCode }
}
