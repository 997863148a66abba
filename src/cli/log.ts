import pino, { type Logger } from 'pino'
import pretty from 'pino-pretty'
import { printable } from '../core/printable.ts'

export type { Logger }

/** Where finished log lines go, with their level; the live status shows them in a place of their own. */
export interface LogSink {
  write(text: string, level: string): void
}

const stderrSink: LogSink = { write: (text) => void process.stderr.write(text) }

export interface LogOptions {
  readonly pretty: boolean
  /** Default: stderr. */
  readonly sink?: LogSink
  readonly level?: string
  /** Gets the same lines as JSON, whatever the sink shows. */
  readonly file?: { write(line: string): void } | undefined
}

/**
 * The log of a command: JSON lines, or readable ones on a terminal. Names that may hold a secret are
 * redacted, though nothing is meant to log one.
 */
export function createLog(options: LogOptions): Logger {
  const { sink = stderrSink, file } = options
  const redact = { paths: ['key', 'agentKey', 'salt', 'secret', '*.key', '*.agentKey', '*.salt', '*.secret'], censor: '[secret]' }
  const base = {
    base: null,
    level: options.level ?? 'info',
    redact,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  if (!options.pretty)
    return pino(base, {
      write(line: string) {
        sink.write(line, '')
        file?.write(line)
      },
    })
  const readable = pretty.prettyFactory({
    colorize: process.stderr.hasColors?.() ?? false,
    translateTime: 'SYS:HH:MM:ss',
    messageFormat: '{if bot}{bot}: {end}{msg}',
    // What a person reads is in the message; the rest is for programs, which get JSON.
    include: 'level,time',
  })
  return pino(base, {
    write(line: string) {
      file?.write(line)
      const entry = JSON.parse(line) as { readonly level: string; readonly msg?: string }
      // Strategies and the service have their words in it; programs get JSON, which escapes what ends a line.
      sink.write(readable({ ...entry, msg: printable(entry.msg ?? '') }) ?? line, entry.level)
    },
  })
}
