import { appendFileSync } from 'node:fs'
import { SqliteJournal } from '../../../src/live/index.ts'
import { entryIntent, journalRecord } from '../journalFiles.ts'

// Commits to a journal without end, and notes each commit that has returned. Its process is ended in the middle.

const [file = '', notes = '', isCopy, commits] = process.argv.slice(2)
const journal = new SqliteJournal(file, { isCopy: isCopy === 'copy' }).belongTo('agent')
appendFileSync(`${notes}/log`, 'opened 0 .\n')
for (let n = 1; n <= Number(commits); n++) {
  journal.commit(journalRecord({ n, intents: [entryIntent(n)] }))
  appendFileSync(`${notes}/log`, `committed ${n} .\n`)
}
process.kill(process.pid, 'SIGKILL')
