import { basename } from 'node:path'
import { PRICE_COLUMNS } from '../../../core/priceColumns.ts'
import type { Mint } from '../../../core/tokens.ts'
import { fileFault } from './fault.ts'

/** What a name of a token is the name of. */
export interface KnownAs {
  readonly mint: Mint
  /** A price is of 10 to this power of tokens: 3 of `kBONK`. */
  readonly power: number
}

const MINT = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const ENDINGS = /\.(?:csv|tsv|txt|json|gz)$/i
/** Dollars, as exchanges quote in them. */
const DOLLARS = ['USDT', 'USDC', 'FDUSD', 'BUSD', 'TUSD', 'PYUSD', 'USD', 'PERP']
/** In a file's name they say that its prices may be in something else. */
const OTHER_QUOTES = new Set([
  ...['EUR', 'GBP', 'JPY', 'TRY', 'BRL', 'KRW', 'AUD', 'CAD', 'CHF', 'RUB', 'UAH', 'INR', 'IDR', 'MXN', 'ARS', 'ZAR'],
  ...['BTC', 'XBT', 'ETH', 'BNB', 'SOL', 'WETH', 'WBTC'],
])

const byUpperCase = new Map([...PRICE_COLUMNS].map(([name, known]) => [name.toUpperCase(), known]))
const KNOWN_NAMES = [...PRICE_COLUMNS.keys()]

/** The token of a name: a mint, or a symbol of a known token in any case. */
export function mintOrSymbol(name: string): KnownAs | undefined {
  const known = PRICE_COLUMNS.get(name) ?? byUpperCase.get(name.toUpperCase())
  if (known !== undefined) return { mint: known.mint, power: String(known.tokens).length - 1 }
  return MINT.test(name) ? { mint: name, power: 0 } : undefined
}

/** The token that `--token` names. @throws CornermanError `PRICE_FILE_INVALID` */
export function namedToken(file: string, name: string): KnownAs {
  const token = mintOrSymbol(name)
  if (token === undefined) {
    throw tokenFault(
      file,
      `no token is called ${JSON.stringify(name)}: known are ${KNOWN_NAMES.join(', ')}; any other is named by its mint`,
    )
  }
  return token
}

/**
 * The token that a file's name speaks of, as `SOL_USDC-1m.json`, `BONKUSDT-1m-2025-07.csv` and `BINANCE_WIFUSDT, 5.csv` do.
 *
 * @throws CornermanError `PRICE_FILE_INVALID`: it names none, or several, or its prices may not be in dollars
 */
export function tokenOfName(file: string): KnownAs {
  const words = wordsOf(file)
  const named = words.flatMap((word) => {
    const token = mintOrSymbol(word) ?? mintOrSymbol(withoutDollars(word))
    return token === undefined || DOLLARS.includes(word.toUpperCase()) ? [] : [{ word, token }]
  })
  const mints = new Set(named.map(({ token }) => token.mint))
  const [first] = named
  if (first === undefined) throw unclear(file, 'its name has no token that is known')
  if (mints.size > 1) throw unclear(file, `its name may mean ${named.map(({ word }) => word).join(' or ')}`)
  const after = words.slice(words.indexOf(first.word) + 1).find((word) => OTHER_QUOTES.has(word.toUpperCase()))
  if (after !== undefined) throw unclear(file, `its name says that the prices are in ${after}, and a log's are in USD`)
  return first.token
}

function wordsOf(file: string): string[] {
  let name = basename(file)
  while (ENDINGS.test(name)) name = name.replace(ENDINGS, '')
  return name.split(/[^a-z0-9]+/i).filter((word) => word !== '')
}

function withoutDollars(word: string): string {
  const ending = DOLLARS.find((each) => word.toUpperCase().endsWith(each))
  return ending === undefined ? word : word.slice(0, -ending.length)
}

const unclear = (file: string, why: string) =>
  tokenFault(
    file,
    `which token it has the prices of is not clear, since ${why}: say it by --token SOL or --token MINT, once for each file and in their order`,
  )

const tokenFault = (file: string, problem: string) => fileFault(file, `: ${problem}`)
