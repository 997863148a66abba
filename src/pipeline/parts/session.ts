import { part } from '../coordinator/part.ts'
import type { TaskKeyOf } from '../protocol/taskKey.ts'
import { Announcements } from '../state/announcements.ts'
import { CatchUp } from '../state/catchUp.ts'
import { CLOCKS_AGREE, clockGapText } from '../state/clockGap.ts'
import { Remarks } from '../state/remarks.ts'
import { Session } from '../state/session.ts'

/** What each command of the operator stops until the next one, and the line of the log. */
const EFFECT_OF_COMMAND = {
  stopEntries: { stopped: 'entries', says: 'entries are stopped: what is open is played to its end' },
  stopAll: { stopped: 'all', says: 'kill switch: no entries and no swaps; tickets and open seats are taken back, reveals go on' },
  resume: { stopped: 'nothing', says: 'resumed' },
} as const

export const session = part({
  name: 'session',
  does: 'says when the books can be trusted, what the operator has stopped, and where siblings have money',
  reads: ['reads'],
  writes: ['session'],
  after: ['seats', 'figures', 'reads', 'ledger'],
  owns: ['catchUp'],
  make({ reads }, { present }) {
    const session = new Session(present.owned)
    const catchUp = new CatchUp(present, { reads, session })
    return {
      stores: { session: catchUp },
      on: {
        started: (input) => catchUp.start(input),
        caughtUp: () => catchUp.onStream(true),
        behind: () => catchUp.onStream(false),
        restored: () => catchUp.onRestored(),
        clock({ gapMs }) {
          if (gapMs === undefined) return
          present.clockGapMs = gapMs
          const [level, message] = gapMs === 0 ? (['info', CLOCKS_AGREE] as const) : (['error', clockGapText(gapMs)] as const)
          present.step.note(level, message, { code: 'CLOCKS_DISAGREE', gapMs })
        },
        operator({ command }) {
          if (command === 'drain') {
            session.drain()
            present.step.note('info', 'draining: no new entries; tickets are cancelled, live contests and reveals finished')
            return
          }
          const { stopped, says } = EFFECT_OF_COMMAND[command]
          if (present.books.stopped === stopped) return
          session.stop(stopped)
          present.step.note(stopped === 'nothing' ? 'info' : 'warn', says)
          if (stopped === 'nothing') present.tell({ type: 'decisionWanted', isSoon: false })
        },
        siblingEntered: ({ entry }) => session.siblingEntered(entry),
        siblingLeft(input) {
          const entry = session.siblingLeft(input)
          if (entry !== undefined) present.tell({ type: 'siblingGone', entry })
        },
      },
      onFact: { answered: (answered) => catchUp.onAnswer(answered) },
      onDue: (task) => catchUp.onDue(task as TaskKeyOf<'catchUp'>),
    }
  },
})

export const remarks = part({
  name: 'remarks',
  does: 'tells news from history, and writes into the log what the service says',
  reads: ['intents', 'ledger'],
  writes: [],
  after: ['seats', 'ledger'],
  make(stores, { present }) {
    const remarks = new Remarks(present, stores)
    return {
      stores: {},
      on: {
        started: (input) => remarks.start(input),
        event: ({ read, raw, recorded }) => !read.ok && !recorded && remarks.unreadable(read, raw),
        caughtUp: () => remarks.onCaughtUp(),
        restored: (input) => remarks.onRestored(input),
        outcome: (input) => remarks.onOutcome(input),
      },
      onFact: {
        event: (heard) => remarks.onEvent(heard),
        answerFolded: (folded) => remarks.onFolded(folded),
      },
    }
  },
})

export const announcements = part({
  name: 'announcements',
  does: 'tells sibling bots where this one has money, and says where it meets one',
  reads: ['modes', 'drift', 'intents'],
  writes: [],
  after: ['drift'],
  closesAfter: ['intents'],
  make(stores, { present }) {
    const announcements = new Announcements(present, stores)
    return {
      stores: {},
      close() {
        announcements.reportMeetings()
        announcements.make()
      },
    }
  },
})
