import { fileFault } from './fault.ts'
import { fileTime } from './fileTime.ts'
import { type KnownAs, mintOrSymbol } from './fileToken.ts'
import { notPrices } from './notPrices.ts'
import type { TextRecord, TextTable } from './records.ts'

/** What a time of a file is the time of. */
export type TimeOf =
  /** The beginning of a candle, whose close is known when it ends. */
  | 'open'
  /** The price itself. */
  | 'close'

/** A column that is read as the prices of a token. */
export interface PriceCells {
  readonly index: number
  readonly name: string
  /** Of a column that is named after its token. */
  readonly token?: KnownAs
}

/** Which of a table's cells are what. */
export interface TableShape {
  readonly time: { readonly index: number; readonly name: string }
  readonly timeOf: TimeOf
  readonly prices: readonly PriceCells[]
  readonly leftOut: readonly string[]
  /** In objects, the mint that they say they are of. */
  readonly tokenSaid?: string | undefined
}

/** In the order in which one is taken where there are several: lower case, letters and digits alone. */
const TIME_NAMES = [
  ...['opentime', 'timestamp', 'unixtime', 'unix', 'ts', 'time', 'date', 'datetime', 'dateutc', 'timeutc', 'utctime', 'snappedat', 't'],
  ...['closetime', 'timeclose'],
]
const PRICE_NAMES = ['close', 'c', 'closeprice', 'price', 'priceusd', 'value', 'last']
/** Prices of a moment; the others are closes of candles. */
const OF_A_MOMENT = new Set(['price', 'priceusd', 'value', 'last'])
const OF_THE_END = new Set(['closetime', 'timeclose'])
/** What an index of pandas is called in its CSV. */
const NAMELESS = /^(?:unnamed\d*|index|)$/

/** Tables without names, by how many cells a row has: what exchanges and libraries write. */
const NAMELESS_TABLES: Readonly<Record<number, { readonly names: string; readonly timeOf?: TimeOf; readonly only?: 'JSON' }>> = {
  // CoinGecko's market_chart.
  2: { names: 'time,price', only: 'JSON' },
  // CoinGecko's ohlc: its times are those of the closes (https://docs.coingecko.com/reference/coins-id-ohlc).
  5: { names: 'time,open,high,low,close', timeOf: 'close', only: 'JSON' },
  // freqtrade, ccxt, GeckoTerminal.
  6: { names: 'time,open,high,low,close,volume' },
  // Kraken.
  7: { names: 'time,open,high,low,close,volume,trades' },
  // Binance's klines.
  12: {
    names: 'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore',
  },
}

const simpleName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** Says which cells of a table are times and prices. @throws CornermanError `PRICE_FILE_INVALID`: it is no table of prices */
export function shapeOf(table: TextTable, first: TextRecord, timesAre?: TimeOf): TableShape {
  const nameless = table.header === undefined ? NAMELESS_TABLES[first.cells.length] : undefined
  const isMeant = nameless !== undefined && (nameless.only === undefined || nameless.only === table.file.format)
  const names = table.header ?? (isMeant ? nameless.names.split(',') : undefined)
  if (names === undefined) throw notPrices(table, first)
  const simple = names.map(simpleName)
  const time = timeIndex(simple)
  const price = PRICE_NAMES.map((name) => simple.indexOf(name)).find((index) => index >= 0)
  if (time === undefined) throw notPrices(table, first)
  refuseTwice(table, names, [time, ...(price === undefined ? [] : [price])])
  const timed = { time: { index: time, name: names[time] ?? '' } }
  if (price === undefined) return { ...timed, timeOf: timesAre ?? 'close', ...wideColumns(table, first, { names, time }) }
  if (table.header === undefined) expectCandle(table, first, simple)
  const leftOut = names.filter((_name, index) => index !== time && index !== price)
  const isKnownThen = OF_A_MOMENT.has(simple[price] ?? '') || OF_THE_END.has(simple[time] ?? '')
  return {
    ...timed,
    ...{ timeOf: timesAre ?? nameless?.timeOf ?? (isKnownThen ? 'close' : 'open'), leftOut },
    prices: [{ index: price, name: names[price] ?? '' }],
    tokenSaid: first.cells[simple.indexOf('address')],
  }
}

function timeIndex(simple: readonly string[]): number | undefined {
  const named = TIME_NAMES.map((name) => simple.indexOf(name)).find((index) => index >= 0)
  return named ?? (NAMELESS.test(simple[0] ?? '-') ? 0 : undefined)
}

/** One column a token: all but the time are named after one. */
function wideColumns(
  table: TextTable,
  first: TextRecord,
  { names, time }: { readonly names: readonly string[]; readonly time: number },
): Pick<TableShape, 'prices' | 'leftOut'> {
  const columns = names.flatMap((name, index) => (index === time ? [] : [{ index, name, token: mintOrSymbol(name) }]))
  if (!columns.some(({ token }) => token !== undefined)) throw notPrices(table, first)
  const seen = new Map<string, string>()
  const prices = columns.map(({ index, name, token }) => {
    if (token === undefined)
      throw fileFault(table.file.path, `: no token is known for column ${JSON.stringify(name)}: ${NAME_IT}`, { column: name })
    const other = seen.get(token.mint)
    if (other !== undefined)
      throw fileFault(table.file.path, `: the columns ${other} and ${name} are both prices of ${token.mint}: take one out`)
    seen.set(token.mint, name)
    return { index, name, token }
  })
  return { prices, leftOut: [] }
}

const NAME_IT = 'name it by the symbol of a known token, as SOL, or by a mint; or take it out'

function refuseTwice(table: TextTable, names: readonly string[], indexes: readonly number[]): void {
  for (const index of indexes) {
    const name = names[index] ?? ''
    const count = names.filter((each) => simpleName(each) === simpleName(name)).length
    if (count > 1 && name !== '')
      throw fileFault(table.file.path, `: ${count} columns are called ${name}: which one is meant is not known; take the others out`)
  }
}

/** Without names, a high that is below another of its prices tells that the cells are in another order. */
function expectCandle(table: TextTable, { cells, place }: TextRecord, simple: readonly string[]): void {
  const [open, high, low, close] = ['open', 'high', 'low', 'close'].map((name) => Number(cells[simple.indexOf(name)] ?? Number.NaN))
  if (high === undefined || Number.isNaN(high)) return
  if (fileTime(cells[0] ?? '') === undefined || high < Math.max(open ?? 0, close ?? 0) || (low ?? 0) > Math.min(open ?? 0, close ?? 0)) {
    throw fileFault(
      table.file.path,
      `, ${table.placeName} ${place}: without a header its cells are taken for ${simple.join(', ')}, and there ${cells.join(', ')} is no candle: give it a header that names them`,
    )
  }
}
