import type { ProcedureOutput, ReadName } from '../../contract/procedures.ts'
import type { Books } from '../books/books.ts'

export type Bankroll = ProcedureOutput<'agent.bankroll'>
/** The parts of the books that the service's figures of money are. */
export type FigureBooks = Pick<Books, 'limits' | 'bankroll' | 'wallet' | 'gasLamports'>

interface Asked {
  /** The number of the input that led to the read; undefined of one that this run has not asked for. */
  readonly askedIn: number | undefined
  readonly begunAt: number
  readonly now: number
}

interface Answered extends Asked {
  readonly procedure: ReadName
  readonly output: unknown
}

/** The figures after the answer to a read, whatever it was made for, as far as it changes them. */
export function foldFigures(books: FigureBooks, { procedure, output, ...asked }: Answered): Partial<FigureBooks> {
  const { askedIn, begunAt } = asked
  if (procedure === 'agent.limits') return { limits: { value: output as ProcedureOutput<'agent.limits'>, begunAt } }
  // Of two reads under way the one that was asked for first may be answered last.
  const isOlder = askedIn !== undefined && askedIn < (books.bankroll?.askedIn ?? Number.NEGATIVE_INFINITY)
  return procedure === 'agent.bankroll' && !isOlder ? bankrollTold(books, output as Bankroll, asked) : {}
}

/** The figures once the bankroll is known, asked for at `begunAt` and known at `now`. A service may leave out what it says only sometimes. */
export function bankrollTold(
  books: FigureBooks,
  { available, inPlay, wallet, walletAddress, gasLamports }: Bankroll,
  { askedIn, begunAt, now }: Asked,
): Partial<FigureBooks> {
  return {
    bankroll: { value: { available, inPlay, wallet }, begunAt, answeredAt: now, askedIn },
    wallet: walletAddress ?? books.wallet,
    gasLamports: gasLamports === undefined ? books.gasLamports : { value: gasLamports, begunAt },
  }
}
