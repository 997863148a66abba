import { CornermanError } from '../../../core/error.ts'
import type { Price } from '../../../core/price.ts'
import { type Mint, symbolOf } from '../../../core/tokens.ts'
import type { ContestLine } from '../../lines.ts'
import { contestOffers } from '../contestOffers.ts'
import type { PriceFiles } from '../files/priceFiles.ts'
import type { LogOptions, PriceStream } from '../importPrices.ts'
import { type ImportedLog, type LogRow, rowsOfLog } from './importedLog.ts'

/** Contradictions in a message. */
const MOST_SAID = 10

export interface Joined extends PriceStream {
  /** Prices that the log and the files both have. */
  readonly shared: number
}

/**
 * The prices of a log and of files that extend it, as one import of all the files would have them. Where both have a price of one token at
 * one time it has to be the same.
 *
 * @throws CornermanError `PRICES_CONTRADICT`; `JOIN_OTHER_CONTESTS` where the log's contests were offered by another seed or rate
 */
export async function joinFiles(
  log: ImportedLog,
  files: PriceFiles,
  asked: Pick<LogOptions, 'seed' | 'contestsPerHour'>,
  onProgress?: (bytes: number, total: number) => void,
): Promise<Joined> {
  expectOffers(log, asked)
  const mints = [...new Set(files.from < log.from ? [...files.mints, ...log.mints] : [...log.mints, ...files.mints])]
  const shared = meets(log, files) ? await sharedPrices(log, files, mints) : 0
  return {
    ...{ mints, shared },
    from: Math.min(log.from, files.from),
    until: Math.max(log.until, files.until),
    stepMs: Math.max(log.stepMs, files.stepMs),
    rows: merged(log, files, { mints, onProgress }),
  }
}

/** The contests of a log are offered anew over the longer time: by another seed they would be others. */
function expectOffers(
  { path, mints, stepMs, from, contests }: ImportedLog,
  { seed, contestsPerHour }: Parameters<typeof joinFiles>[2],
): void {
  // Of what was offered, that which would not have ended before the prices do is left out: it may be there now.
  const offers = contestOffers({ mints, stepMs, from, until: Number.POSITIVE_INFINITY, contestsPerHour, seed })
  for (const contest of contests) {
    let offer = offers.next()
    while (offer.done !== true && offer.value.at < contest.at) offer = offers.next()
    if (offer.done === true || !isSame(offer.value, contest)) {
      throw new CornermanError(
        'JOIN_OTHER_CONTESTS',
        `the contests of ${path} were not offered by --seed ${seed} and --contests-per-hour ${contestsPerHour}: name those it was imported with, since its contests are offered anew over the longer time`,
        { details: { seed, contestsPerHour } },
      )
    }
  }
}

/** Apart from the id, and what is drawn of the tokens: they may be more by now. */
const isSame = (offer: ContestLine, { at, mode, stake, durationSec }: ContestLine): boolean =>
  offer.at === at && offer.mode === mode && offer.stake === stake && offer.durationSec === durationSec

const meets = (log: ImportedLog, files: PriceFiles): boolean => files.from <= log.until && log.from <= files.until

interface Merging {
  readonly mints: readonly Mint[]
  readonly onProgress?: ((bytes: number, total: number) => void) | undefined
}

/** How many prices both have. */
async function sharedPrices(log: ImportedLog, files: PriceFiles, mints: readonly Mint[]): Promise<number> {
  const said: string[] = []
  let [shared, contradicting] = [0, 0]
  for await (const { at, ofLog, ofFiles } of pairs(log, files, { mints })) {
    for (const [column, price] of ofFiles?.entries() ?? []) {
      const known = ofLog?.[column] ?? null
      if (price === null || known === null) continue
      shared += 1
      // Both in canonical form, in which an import writes them.
      if (price === known) continue
      contradicting += 1
      const mint = mints[column] ?? ''
      if (said.length < MOST_SAID)
        said.push(`  ${symbolOf(mint)} at ${new Date(at).toISOString()}: ${known} in the log, ${price} in the files`)
    }
  }
  if (contradicting === 0) return shared
  const more = contradicting - said.length
  throw new CornermanError(
    'PRICES_CONTRADICT',
    `the files say otherwise than ${log.path} of ${contradicting} of the ${shared} prices that both have:\n${said.join('\n')}\n${more > 0 ? `  and ${more} more\n` : ''}leave out what the log has, see that the files are of the same market and that their times are read as the log's were (--times), or import them into a log of their own`,
    { details: { contradicting, shared } },
  )
}

/** The rows of both by time; those of one time are one. */
async function* merged(log: ImportedLog, files: PriceFiles, merging: Merging): AsyncGenerator<LogRow> {
  for await (const { at, ofLog, ofFiles } of pairs(log, files, merging)) {
    yield { at, prices: merging.mints.map((_, column) => ofLog?.[column] ?? ofFiles?.[column] ?? null) }
  }
}

interface Pair {
  readonly at: number
  readonly ofLog: readonly (Price | null)[] | undefined
  readonly ofFiles: readonly (Price | null)[] | undefined
}

/** What the log and the files say of each time, by the same columns. */
async function* pairs(log: ImportedLog, files: PriceFiles, { mints, onProgress }: Merging): AsyncGenerator<Pair> {
  const [logColumns, fileColumns] = [mints.map((mint) => log.mints.indexOf(mint)), mints.map((mint) => files.mints.indexOf(mint))]
  const laid = (row: LogRow, columns: readonly number[]) => columns.map((column) => row.prices[column] ?? null)
  const [ofLog, ofFiles] = [rowsOfLog(log), files.rows(onProgress)]
  try {
    let known = ofLog.next()
    let added = await ofFiles.next()
    while (known.done !== true || added.done !== true) {
      const [knownAt, addedAt] = [timeOf(known), timeOf(added)]
      const at = Math.min(knownAt, addedAt)
      const [fromLog, fromFiles] = [known, added]
      yield {
        at,
        ofLog: knownAt === at && fromLog.done !== true ? laid(fromLog.value, logColumns) : undefined,
        ofFiles: addedAt === at && fromFiles.done !== true ? laid(fromFiles.value, fileColumns) : undefined,
      }
      if (knownAt === at) known = ofLog.next()
      if (addedAt === at) added = await ofFiles.next()
    }
  } finally {
    await ofFiles.return(undefined)
  }
}

/** Infinity behind the last. */
const timeOf = (row: IteratorResult<LogRow>): number => (row.done === true ? Number.POSITIVE_INFINITY : row.value.at)
