import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checksumAfter, sealed } from '../../src/recording/checksum.ts'
import type { HeaderLine, InputLine, LogLine, PricesLine } from '../../src/recording/lines.ts'
import { type LogLimits, LogWriter } from '../../src/recording/logWriter.ts'
import { readLog } from '../../src/recording/readLog.ts'

// Logs that tests write, damage and read.

export const START = Date.parse('2026-01-02T03:04:05Z')
export const RUN = '20260102T030405Z-k3f9'
export const SOL = 'So11111111111111111111111111111111111111112'
export const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263'

export const emptyFolder = (): string => mkdtempSync(join(tmpdir(), 'recording-'))

const headerFields = {
  source: 'live',
  bot: 'alice',
  agentId: 'a-1',
  run: RUN,
  software: { cornerman: '0.1.0', node: '24.21.0' },
  config: null,
  mints: [SOL],
} as const satisfies Partial<HeaderLine>

export const header = (fields: Partial<HeaderLine> = {}): HeaderLine => ({
  kind: 'header',
  version: 1,
  segment: 1,
  at: START,
  ...headerFields,
  ...fields,
})

export const input = (n: number, fields: Partial<InputLine> = {}): InputLine => ({
  kind: 'input',
  n,
  at: START + n * 1000,
  type: 'timer',
  body: {},
  ...fields,
})

export const prices = (n: number, fields: Partial<PricesLine> = {}): PricesLine => ({
  kind: 'prices',
  n,
  at: START + n * 1000,
  tick: n,
  prices: ['187.25'],
  ...fields,
})

export const writerOf = (folder: string, fields: Partial<HeaderLine> = {}, limits: Partial<LogLimits> = {}): LogWriter =>
  new LogWriter({ folder, header: { ...headerFields, ...fields }, limits })

/** The text of a segment whose lines carry a sound chain of checksums, whatever they say. */
export function sealedText(lines: readonly unknown[]): string {
  let checksum = 0
  return lines
    .map((line) => {
      const body = JSON.stringify(line).slice(0, -1)
      checksum = checksumAfter(checksum, body)
      return `${sealed(body, checksum)}\n`
    })
    .join('')
}

/** A plain segment in a folder of its own. */
export function segmentOf(text: string | Buffer, name = `${RUN}-000001.ndjson`): string {
  const file = join(emptyFolder(), name)
  writeFileSync(file, text)
  return file
}

export const linesOf = (log: string): LogLine[] =>
  readLog(log)
    .map(({ line }) => line)
    .toArray()

/** The lines apart from headers. */
export const contentOf = (log: string): LogLine[] => linesOf(log).filter(({ kind }) => kind !== 'header')

export const filesIn = (folder: string): string[] => readdirSync(folder).toSorted()
