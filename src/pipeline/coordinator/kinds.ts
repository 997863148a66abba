import type { Fact } from '../protocol/facts.ts'
import type { Input } from '../protocol/input.ts'

const INPUTS: Readonly<Record<Input['type'], true>> = {
  ...{ started: true, event: true, caughtUp: true, behind: true, restored: true, answer: true, prices: true, timer: true, paused: true },
  ...{ clock: true, chainBalance: true, feed: true, outcome: true, quoted: true, built: true, landing: true, late: true, operator: true },
  ...{ mode: true, ordered: true, pathChecked: true, tokens: true, siblingEntered: true, siblingLeft: true },
}

const FACTS: Readonly<Record<Fact['type'], true>> = {
  ...{
    event: true,
    news: true,
    answered: true,
    answerFolded: true,
    readAgain: true,
    caughtUp: true,
    siblingGone: true,
    contestEnded: true,
  },
  ...{ ticketEnded: true, supposedLost: true, moneyFreed: true, seatTended: true, seatsTended: true, joining: true, wished: true },
  ...{ held: true, entrySent: true, actionTaken: true, actionFailed: true, concluded: true, refused: true, entryClosed: true },
  ...{ predictionDropped: true, predictionEnded: true, swapWished: true, swapWithdrawn: true, swapFilled: true, swapFailed: true },
  ...{ swapRefused: true, swapConcluded: true, swapKeptBack: true, pathFailed: true, walletBusy: true, walletFree: true },
  ...{ bankrollWanted: true, bankrollRead: true, pathDown: true, moveDue: true, moveAsked: true, moveAnswered: true },
  ...{ moveHindered: true, moveCleared: true, moveMade: true, mode: true, decisionWanted: true },
}

export const INPUT_TYPES = Object.keys(INPUTS)
export const FACT_TYPES = Object.keys(FACTS)
