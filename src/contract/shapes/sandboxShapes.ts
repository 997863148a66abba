import type { Shapes } from './shapes.ts'

/**
 * The mapping of the sandbox, every piece of it: a model for one of your own. `sandbox()` uses it by itself.
 *
 * @example contestService({ url: 'http://127.0.0.1:8787', shapes: sandboxShapes })
 */
export const sandboxShapes: Shapes = {
  version: 1,
  lists: { tickets: '', mine: '', open: 'items' },
  own: { at: 'you', rows: 'entries', by: { userId: 'agentId' } },
  pieces: {
    agentId: 'me:agent.agentId',
    handle: 'me:agent.handle',
    ticketId: 'ticket:ticketId',
    ticketState: 'ticket:status',
    ticketContest: 'ticket:contestId',
    contestId: 'contest:contestId',
    contestState: 'contest:status',
    mode: 'contest:mode',
    stake: 'contest:stake',
    duration: { at: 'contest:durationSec', unit: 's' },
    startsAt: { at: 'contest:startsAt', as: 'iso' },
    endsAt: { at: 'contest:endsAt', as: 'iso' },
    side: 'contest:[own].side',
    ready: 'contest:[own].ready',
    entryId: 'contest:[own].entryId',
    token: 'contest:params.token',
    phase: 'state:phase',
    commitBy: { at: 'state:commitBy', as: 'iso' },
    revealFrom: { at: 'state:revealFrom', as: 'iso' },
    revealBy: { at: 'state:revealBy', as: 'iso' },
    committed: 'state:committed',
    revealed: 'state:revealed',
    turn: { at: 'state:yourTurn', is: 'flag' },
    pool: { at: 'state:available' },
    pickBy: { at: 'state:pickBy', as: 'iso' },
    round: 'state:round',
    mine: 'state:mine',
    theirs: 'state:theirs',
    listedContestId: 'listed:contestId',
    listedMode: 'listed:mode',
    listedStake: 'listed:stake',
    listedToken: 'listed:params.token',
    listedSides: 'listed:entries[].side',
  },
  words: {
    ticket: { waiting: ['queued'], seated: ['matched'], over: ['expired', 'failed', 'cancelled'] },
    contest: { open: ['open'], live: ['live'], settled: ['settled'], cancelled: ['cancelled'] },
    phase: {
      before: ['open', 'waiting'],
      commit: ['commit'],
      draft: ['draft'],
      running: ['running'],
      reveal: ['reveal'],
      over: ['settled', 'cancelled'],
    },
    side: { UP: 'UP', DOWN: 'DOWN' },
  },
}
