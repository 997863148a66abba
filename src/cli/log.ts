import pino, { type Logger } from 'pino'
import pretty from 'pino-pretty'

export type { Logger }

/** Where finished log lines go; the live status writes them above itself. */
export interface LogSink {
  write(text: string): void
}

const stderrSink: LogSink = { write: (text) => void process.stderr.write(text) }

/**
 * The log of a command: JSON lines, or readable ones on a terminal. Names that may hold a secret are
 * redacted, though nothing is meant to log one.
 */
export function createLog(options: { pretty: boolean; sink?: LogSink; level?: string }): Logger {
  const sink = options.sink ?? stderrSink
  const redact = { paths: ['key', 'agentKey', 'salt', 'secret', '*.key', '*.agentKey', '*.salt', '*.secret'], censor: '[secret]' }
  const base = {
    base: null,
    level: options.level ?? 'info',
    redact,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  if (!options.pretty) return pino(base, sink)
  const readable = pretty.prettyFactory({
    colorize: process.stderr.hasColors?.() ?? false,
    translateTime: 'SYS:HH:MM:ss',
    messageFormat: '{if bot}{bot}: {end}{msg}',
    // What a person reads is in the message; the rest is for programs, which get JSON.
    include: 'level,time',
  })
  return pino(base, { write: (line: string) => sink.write(readable(JSON.parse(line) as object) ?? line) })
}
