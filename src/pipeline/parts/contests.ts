import { isTradingMode } from '../../contract/modes.ts'
import { Foreign } from '../actions/foreign.ts'
import { Intents } from '../actions/intents.ts'
import { IncompleteAnswers } from '../answers/incompleteAnswers.ts'
import { Strays } from '../answers/strays.ts'
import { part } from '../coordinator/part.ts'
import { Orders } from '../orders.ts'
import type { InputOf } from '../protocol/input.ts'
import { later } from '../protocol/later.ts'
import { parseTaskKey, type TaskKey, type TaskKeyOf } from '../protocol/taskKey.ts'
import { Reads } from '../reads.ts'
import type { ContestEnd } from '../seat/custodyMachine.ts'
import { FinalReads } from '../seat/finalReads.ts'
import { Overdue } from '../seat/overdue.ts'
import { Rejoins } from '../seat/rejoins.ts'
import { Reveals } from '../seat/reveals.ts'
import { Seats } from '../seat/seats.ts'

export const reads = part({
  name: 'reads',
  does: 'asks the service, again after a failure, and drops answers about something else',
  reads: ['intents', 'signatures'],
  writes: ['reads', 'answers'],
  after: [],
  make(stores, { present }) {
    const strays = new Strays(present, {
      signatures: { has: (signature) => stores.signatures.has(signature) },
      isNamed: (id) => stores.intents.names(id),
    })
    const incomplete = new IncompleteAnswers(present)
    const reads = new Reads(present, { strays, incomplete })
    const answers = {
      get count() {
        return strays.count
      },
      get incomplete() {
        return incomplete.now
      },
      pausedUntil: strays.pausedUntil.bind(strays),
    }
    return {
      stores: { reads, answers },
      on: {
        answer: (input) => present.tell(reads.answered(inOwnTime(strays.sift(input), present.lagMs))),
        caughtUp: () => incomplete.isWhole('agent.events'),
        behind({ lacks, reason }) {
          if (lacks !== undefined) incomplete.lacks('agent.events', lacks)
          else present.step.note('warn', `the event stream cannot be read: ${reason}`)
        },
      },
    }
  },
})

/** The state of a mode is read by its places, and moved as they are read. */
function inOwnTime(input: InputOf<'answer'>, lagMs: number): InputOf<'answer'> {
  const { request, result } = input
  if (lagMs === 0 || !result.ok || request.procedure === 'agent.modes.state') return input
  return { ...input, result: { ...result, output: later(result.output, lagMs) } }
}

export const seats = part({
  name: 'seats',
  does: 'keeps tickets and seats, and looks up those that should be over',
  reads: ['figures', 'intents', 'reads', 'session'],
  writes: [],
  after: ['figures'],
  owns: ['seats', 'overdue'],
  make(stores, { present }) {
    const seats = new Seats(present, stores)
    const rejoins = new Rejoins(present, { seats, stores })
    const overdue = new Overdue({ present, reads: stores.reads, seats })
    return {
      stores: {},
      on: {
        started(input) {
          seats.recover(input.facts?.ended ?? [])
          seats.recover(input.left ?? [])
          seats.start(input)
        },
        restored: () => overdue.onRestored(),
        clock({ lagMs }) {
          if (lagMs === undefined) return
          seats.moveTimes(lagMs - present.lagMs)
          present.lagMs = lagMs
        },
      },
      onFact: {
        event(heard) {
          if (heard.isRepeated) return
          rejoins.onEvent(heard)
          seats.onEvent(heard.event)
        },
        answered(answered) {
          rejoins.onAnswer(answered)
          seats.onAnswer(answered)
          overdue.onAnswer(answered)
        },
        actionTaken: (taken) => seats.onTaken(taken),
        // What was heard meanwhile was of the seat before.
        actionFailed: ({ action, wasLeft }) => wasLeft && action.type === 'joinContest' && seats.end(action.contestId),
        concluded(concluded) {
          seats.onConcluded(concluded)
          overdue.onConcluded(concluded)
        },
        joining: ({ contestId }) => void seats.takeBack(contestId),
        readAgain: (read) => seats.lookAgain(read),
        contestEnded: ({ contestId, isSupposed }) => !isSupposed && overdue.onContestOver(contestId),
        pathDown: () => seats.cancelTickets(isTradingMode),
      },
      onDue(task) {
        if (isOverdue(task)) overdue.onDue(task)
        else seats.onDue(task as TaskKeyOf<'seats'>)
      },
      tend() {
        rejoins.tend()
        seats.tendAll()
        overdue.tend()
      },
      isIdle: () => present.books.tickets.size === 0 && present.books.seats.size === 0,
    }
  },
})

const isOverdue = (task: TaskKey): task is TaskKeyOf<'overdue'> => parseTaskKey(task).kind.startsWith('overdue')

export const intents = part({
  name: 'intents',
  does: 'takes each action from the guard to its outcome, and keeps predictions until they are shown',
  reads: ['answers', 'reads', 'session', 'figures', 'ledger', 'results', 'portfolios', 'modes', 'prices', 'tokens'],
  writes: ['intents', 'custody', 'attribution'],
  after: ['remarks', 'seats', 'figures', 'counts', 'results', 'prices', 'tokens'],
  closesAfter: ['strategies'],
  owns: ['intents', 'reveals'],
  make(stores, { present }) {
    const intents = new Intents(present, stores)
    const { predictions, attribution } = intents
    const foreign = new Foreign(present, intents)
    const reveals = new Reveals(present, intents, stores)
    return {
      stores: { intents, custody: predictions, attribution },
      on: {
        started(input) {
          if (input.facts !== undefined) attribution.restore(input.facts.realised)
          intents.recover(input)
          foreign.start(input)
        },
        outcome: (input) => intents.onOutcome(input),
      },
      onFact: {
        event: ({ event, isRepeated }) => !isRepeated && intents.onEvent(event),
        answered(answered) {
          reveals.onAnswer(answered)
          intents.onAnswer(answered)
        },
        wished: (wished) => intents.submit(wished),
        entryClosed: ({ key }) => intents.close(key),
        predictionDropped: ({ contestId }) => predictions.tell(contestId, { type: 'dropped' }),
        concluded: (concluded) => reveals.onConcluded(concluded),
        seatTended: ({ seat }) => reveals.tend(seat),
        seatsTended: () => reveals.closeCustody(),
        contestEnded(ended) {
          intents.onContestEnded(ended.contestId)
          reveals.onContestEnded(ended)
        },
      },
      onDue(task) {
        const { kind, subjectId } = parseTaskKey(task)
        if (kind === 'reveal') reveals.onDue(subjectId)
        else intents.onDue(task as TaskKeyOf<'intents'>)
      },
      close: () => foreign.report(),
      isIdle: () => intents.openCount === 0,
    }
  },
})

export const endings = part({
  name: 'endings',
  does: 'tells that a contest is over, and that money is free, once an event is in the books',
  reads: [],
  writes: [],
  after: ['intents'],
  make(_, { present }) {
    const ended = (contestId: string, how: ContestEnd, at: number) =>
      present.tell({ type: 'contestEnded', contestId, how, at, isSupposed: false })
    const freed = ({ recorded }: { readonly recorded: boolean }) => present.tell({ type: 'moneyFreed', isPast: recorded })
    return {
      stores: {},
      onEvent: {
        'contest.settled'(heard) {
          const { data, createdAt } = heard.event
          ended(data.contestId, data.result === 'WIN' ? 'won' : 'settled', createdAt)
          freed(heard)
        },
        'contest.cancelled'(heard) {
          ended(heard.event.data.contestId, 'cancelled', heard.event.createdAt)
          freed(heard)
        },
        'match.found': freed,
        'ticket.expired': freed,
        'ticket.failed': freed,
      },
    }
  },
})

export const orders = part({
  name: 'orders',
  does: 'carries out what the operator orders',
  reads: [],
  writes: [],
  after: ['ledger'],
  make(_, { present }) {
    const orders = new Orders(present)
    return { stores: {}, on: { ordered: ({ order }) => orders.take(order) } }
  },
})

export const finalReads = part({
  name: 'finalReads',
  does: 'reads how a contest ended once it is settled, for the backtest',
  reads: ['reads'],
  writes: [],
  after: ['reads'],
  owns: ['finalReads'],
  make({ reads }, { present }) {
    const finalReads = new FinalReads(present, reads)
    return {
      stores: {},
      onFact: {
        news: ({ event }) => event.type === 'contest.settled' && finalReads.onSettled(event.data.contestId),
        answered: (answered) => finalReads.onAnswer(answered),
      },
      onDue: (task) => finalReads.onDue(task as TaskKeyOf<'finalReads'>),
      isIdle: () => finalReads.isDone,
    }
  },
})
