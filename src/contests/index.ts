// The public door of the contest engine.

export { apply } from './apply.ts'
export { auditContests } from './audit/audit.ts'
export {
  type Quote,
  type QuoteRefusalCode,
  type QuoteRequest,
  quoteSwap,
  type SwapMode,
  swapAmounts,
  termsOf,
} from './dex/quote.ts'
export { SANDBOX_VENUE, type TokenMarket, tokenMarket, type Venue } from './dex/tokenMarket.ts'
export { commandAt, dueCommand, nextDue } from './due.ts'
export type { AgentEvent } from './events.ts'
export { contestModes } from './modes/index.ts'
export { fillProblem } from './play/fills.ts'
export { QuietLooks } from './play/quietLooks.ts'
export { type SoloSeat, soloScore } from './play/soloScore.ts'
export { answerAfter, answerRead, type ContestAction, type ContestRead, commandOf } from './procedures.ts'
export { rationalNumber } from './rational.ts'
export { loadContests, saveContests } from './state/snapshot.ts'
export { type ContestsState, createContests, DEX_INVENTORY } from './state/state.ts'
export * from './types.ts'
export { type BankrollRecord, bankrollOf, type LimitsRecord, profileView, rankView } from './views/agents.ts'
export { type ContestRecord, contestsOf, contestView, modeStateView } from './views/contests.ts'
export { historyPage } from './views/history.ts'
export { contestsInPlay, queuedTickets } from './views/inPlay.ts'
export { listContests } from './views/listing.ts'
export type { Answer, Page } from './views/page.ts'
export { type TicketRecord, ticketView } from './views/tickets.ts'
