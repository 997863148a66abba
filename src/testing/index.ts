// The door for tests of strategies: they import this as `cornerman/testing`, and `cornerman`.

export { type ConformanceOptions, conformance, expectConformance } from './conformance/conformance.ts'
export type { ConformanceProblem, ConformanceReport } from './conformance/report.ts'
export { RULES, type RuleName } from './conformance/rules.ts'
export { type DraftWorld, draftContext, type PredictWorld, predictContext, type QueueWorld, queueContext } from './contexts.ts'
export { CustomUnderTest } from './customUnderTest.ts'
export { NOW_MS } from './priceWorld.ts'
export { line, strategyContext, type WorldOfPrices } from './strategyContext.ts'
export { type TraderMarbles, type TraderMarblesOptions, traderMarbles } from './traderMarbles.ts'
export { TraderUnderTest, type TraderWorld } from './traderUnderTest.ts'
export { botView, contestView, openContestView, statsView, ticketView } from './views.ts'
