import { relative } from 'node:path'
import type { ReporterOptions } from 'knip'

/** What `checkers/deadCode.ts` reads. Knip's own JSON report says neither how many files it analysed nor which settings are idle. */
export interface KnipReport {
  readonly analysed: number
  readonly issues: readonly { readonly type: string; readonly file: string; readonly line: number | null; readonly symbol: string }[]
  readonly idleSettings: readonly string[]
}

export default function report({ issues, counters, configurationHints, cwd, write }: ReporterOptions): void {
  const found: KnipReport = {
    analysed: counters.processed,
    issues: Object.entries(issues).flatMap(([type, byFile]) =>
      Object.values(byFile)
        .flatMap((bySymbol) => Object.values(bySymbol))
        .map((issue) => ({
          type,
          file: relative(cwd, issue.filePath).replaceAll('\\', '/'),
          line: issue.line ?? null,
          symbol: issue.symbols?.map(({ symbol }) => symbol).join(', ') ?? issue.symbol,
        })),
    ),
    idleSettings: [...configurationHints.values()].map(({ type, identifier }) => `${type} ${identifier}`),
  }
  write?.(JSON.stringify(found))
}
