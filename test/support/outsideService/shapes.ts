// Where this service has what the specification does not place, in words, for whoever compares what a bot has found out with what is so.
// `at` is a path in the answer of `of`; `[]` is any row of a list, `{}` any entry of a map. test/outsideService.test.ts looks at each of them.

export const TRUE_PLACES = {
  self: { of: 'agent.me', at: 'agent.identity.userId', says: 'who the agent is in rows and events; agent.identity.id is its agentId' },
  openTickets: { of: 'agent.me', at: 'openTickets.rows', says: 'tickets that wait' },
  activeContests: { of: 'agent.me', at: 'activeContests.rows', says: 'contests that are not over, each {contest, seat}' },
  ticketId: { of: 'agent.queue.enqueue', at: 'ticket.ref', says: 'a UUID; the same in agent.queue.get and cancel' },
  ticketState: {
    of: 'agent.queue.enqueue',
    at: 'ticket.standing',
    says: 'WAITING, then SEATED, LAPSED (waitSec over), BROKEN (failed) or WITHDRAWN (cancelled)',
  },
  ticketContest: { of: 'agent.queue.get', at: 'ticket.seatedIn', says: 'the contest of a SEATED ticket, else null' },
  ticketAsked: {
    of: 'agent.queue.get',
    at: 'ticket.wants.mode',
    says: 'mode, stake, durationSec, opponents and chain, by their own names',
  },
  ticketTrouble: {
    of: 'agent.queue.get',
    at: 'ticket.trouble',
    says: '{word, says} of a BROKEN ticket, else null; `error` of the events too',
  },
  tickets: { of: 'agent.queue.list', at: 'tickets.rows[].ref', says: 'the newest first' },
  contests: { of: 'agent.contests.list', at: 'data[].contest.uid', says: 'the newest first; `more` is the cursor, or null' },
  contestsMine: { of: 'agent.contests.mine', at: 'mine.entries[].contest.uid', says: 'the last thirty, those that are over too' },
  contestCounts: { of: 'agent.contests.counts', at: 'data.open', says: 'and data.live' },
  contestId: { of: 'agent.contests.get', at: 'contest.uid', says: 'a UUID; create, join, leave and ready answer the same {contest, seat}' },
  contestState: {
    of: 'agent.contests.get',
    at: 'contest.stage',
    says: 'open; arming (countdown) or drafting; live; weighing (time over, result not final); settled or cancelled',
  },
  contestTerms: {
    of: 'agent.contests.get',
    at: 'contest.durationSec',
    says: 'mode, chain, format, lane, opponents, stake, durationSec by their names',
  },
  contestTimes: { of: 'agent.contests.get', at: 'contest.runs.toUnix', says: 'Unix seconds, null until known; runs.fromUnix the start' },
  joinable: { of: 'agent.contests.get', at: 'contest.joinableForMs', says: 'milliseconds left, null once nobody may join' },
  places: { of: 'agent.contests.get', at: 'contest.places.taken', says: 'of places.of' },
  ownRow: {
    of: 'agent.contests.get',
    at: 'contest.roster[].player',
    says: 'the row whose player is the own userId; null of others in hidden contests',
  },
  ownSeat: { of: 'agent.contests.get', at: 'seat.slip', says: 'seat is null where the agent has none' },
  entryId: { of: 'agent.contests.get', at: 'seat.slip', says: 'also board.seats[].slip of agent.modes.state, in the own row alone' },
  token: {
    of: 'agent.contests.get',
    at: 'contest.about.coin',
    says: 'a mint, null where any token will do; board.coin of agent.modes.state',
  },
  side: {
    of: 'agent.contests.get',
    at: 'contest.roster[].bet',
    says: 'long or short; those not taken yet are in contest.openBets. Also seat.bet',
  },
  ready: { of: 'agent.contests.get', at: 'seat.isReady', says: 'asked of all but contests of the queue' },
  phase: {
    of: 'agent.modes.state',
    at: 'board.act',
    says: 'STAKING (before), SEALING (commit) or PICKING (draft), RACING, OPENING (reveal), CLOSED',
  },
  rows: { of: 'agent.modes.state', at: 'board.seats[].who', says: 'the userId; null of others in hidden contests' },
  commitUntil: {
    of: 'agent.modes.state',
    at: 'board.sealing.msLeft',
    says: 'milliseconds left, null until the countdown; opens when all places are taken',
  },
  revealFrom: {
    of: 'agent.modes.state',
    at: 'board.opening.fromUnix',
    says: 'Unix seconds, before the end of the contest; null until the countdown',
  },
  revealUntil: { of: 'agent.modes.state', at: 'board.opening.untilUnix', says: 'Unix seconds, after the end of the contest' },
  committed: { of: 'agent.modes.state', at: 'board.seats[].sealed', says: 'in the row of each' },
  revealed: { of: 'agent.modes.state', at: 'board.seats[].opened', says: 'in the row of each; guess is the price then' },
  turn: {
    of: 'agent.modes.state (draft)',
    at: 'board.drafter',
    says: 'the userId of the drafter; null outside of PICKING, and of another in hidden ones',
  },
  pickBy: { of: 'agent.modes.state (draft)', at: 'board.hourglassMs', says: 'milliseconds left of the turn' },
  round: { of: 'agent.modes.state (draft)', at: 'board.lap', says: 'from 1; everybody once a lap in the same order, three laps' },
  pool: { of: 'agent.modes.state (draft)', at: 'board.coins{}.free', says: 'by mint' },
  picks: { of: 'agent.modes.state (draft)', at: 'board.seats[].basket', says: 'mine in the row of the own userId, theirs in the others' },
} as const
