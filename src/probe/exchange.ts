import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// What a probe recorded of the service: one line an exchange, as it came, with secrets struck out.

export interface Exchange {
  /** Counted from 1 within the recording. */
  readonly n: number
  /** Unix milliseconds: when it was asked; recordings of before do not say it. */
  readonly sentAt?: number | undefined
  /** Unix milliseconds: when the answer had arrived. */
  readonly at: number
  /** Such as `agent.me`. */
  readonly procedure: string
  readonly input: unknown
  /** HTTP status. */
  readonly status: number
  readonly headers: {
    readonly date?: string | undefined
    readonly 'content-type'?: string | undefined
    readonly 'content-encoding'?: string | undefined
    readonly 'retry-after'?: string | undefined
  }
  /** The body on the wire, parsed where it is JSON; else its text. */
  readonly body: unknown
}

/** Of the folder of a probe. */
export const ANSWERS_FILE = 'answers.jsonl'

/**
 * Reads the exchanges of a probe's folder, oldest first. A probe may have been killed while it wrote: a last line that is torn is left out.
 *
 * @throws SyntaxError if any other line is no JSON
 */
export function readExchanges(folder: string): Exchange[] {
  const lines = readFileSync(join(folder, ANSWERS_FILE), 'utf8').split('\n')
  // What follows the last line's end was never finished.
  const whole = lines.slice(0, -1).filter((line) => line.trim() !== '')
  return [...whole.map((line) => JSON.parse(line) as Exchange), ...readTorn(lines.at(-1) ?? '')]
}

function readTorn(line: string): Exchange[] {
  try {
    return [JSON.parse(line) as Exchange]
  } catch {
    return []
  }
}

/** What a successful answer says, without what the wire puts around it; undefined of a refusal, and of what is no answer. */
export function outputOf({ status, body }: Exchange): unknown {
  if (status < 200 || status > 299) return undefined
  const wire = body as { readonly result?: { readonly data?: { readonly json?: unknown } } } | null | undefined
  return typeof wire === 'object' ? wire?.result?.data?.json : undefined
}
