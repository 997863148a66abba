import { readFileSync } from 'node:fs'
import { zstdDecompressSync } from 'node:zlib'
import { Subject } from 'rxjs'
import { filesOf } from '../../../src/recording/index.ts'

/** A price update handed through one Subject to one listener, and nothing else. */
export function bareSubject(opens: Float64Array): number {
  const price$ = new Subject<{ readonly at: number; readonly price: number }>()
  let sum = 0
  price$.subscribe(({ price }) => {
    sum += price
  })
  for (let bar = 0; bar < opens.length; bar++) price$.next({ at: bar, price: opens[bar] ?? 0 })
  price$.complete()
  return sum
}

/** The lines of a log, as text. */
export const linesOf = (folder: string): string[] =>
  filesOf(folder).flatMap((file) => zstdDecompressSync(readFileSync(file)).toString().trimEnd().split('\n'))

/** Every line parsed, and nothing else. */
export function parseAlone(lines: readonly string[]): number {
  let prices = 0
  for (const line of lines) if ((JSON.parse(line) as { readonly kind: string }).kind === 'prices') prices++
  return prices
}
