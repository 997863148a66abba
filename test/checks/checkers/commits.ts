import type { Checker, Finding, Scan } from '../checker.ts'
import type { Tree } from '../tree.ts'

export const LONGEST_SUBJECT = 72

/** The newest commit whose subject is longer: about two hundred before the rule was checked are, and history is not rewritten for them. */
const START = '0bcbefaf4410dc35557e84d58c073a1db95c97c6'

const PLANTED = `planted: ${'x'.repeat(LONGEST_SUBJECT - 8)}`

/** git: the subjects of the commits after the start, or of all that are there where the start is not. */
export const commits: Checker = {
  name: 'commits',
  counts: 'commits',
  scan: async (tree) => {
    const obstacle = obstacleIn(tree)
    return obstacle === undefined ? scanHistory(tree, START) : { scanned: 0, findings: [], excuse: obstacle }
  },
  plants: [{ rule: 'subject', file: '.git', says: PLANTED, files: {}, commits: ['planted: the first', PLANTED] }],
  innocents: {},
}

/** Looks at the commits after `start`; without it, as in a shallow clone, at every commit there is. */
export function scanHistory(tree: Tree, start: string): Scan {
  const isThere = said(() => tree.git('cat-file', '-e', `${start}^{commit}`)).isDone
  const lines = tree.git('-c', 'log.showSignature=false', 'log', '--format=%h %s', isThere ? `${start}..HEAD` : 'HEAD').split('\n')
  const subjects = lines.filter((line) => line !== '')
  const excuse = isThere || tree.git('rev-parse', '--is-shallow-repository').trim() !== 'true' ? undefined : 'a shallow clone has no others'
  return { scanned: subjects.length, findings: subjects.flatMap(longSubject), excuse }
}

function longSubject(line: string): Finding[] {
  const [hash = '', ...words] = line.split(' ')
  const subject = words.join(' ')
  const { length } = [...subject]
  if (length <= LONGEST_SUBJECT) return []
  const message = `${hash} has a subject of ${length} characters, and ${LONGEST_SUBJECT} are allowed: ${subject}`
  return [{ file: '.git', rule: 'subject', message }]
}

/** Why there is no history to look at: an archive has none, and git may not be installed or may refuse the folder. */
function obstacleIn(tree: Tree): string | undefined {
  const { isDone, text } = said(() => tree.git('rev-parse', '--show-toplevel'))
  if (!isDone) return `no history can be read: ${text}`
  // The project may stand, without a repository of its own, in a folder of somebody else's.
  if (text !== tree.root.replaceAll('\\', '/')) return `no history: the repository is that of ${text}`
  return said(() => tree.git('rev-parse', '--verify', 'HEAD')).isDone ? undefined : 'no history: nothing is committed yet'
}

function said(run: () => string): { readonly isDone: boolean; readonly text: string } {
  try {
    return { isDone: true, text: run().trim() }
  } catch (error) {
    const { stderr } = error as { readonly stderr?: unknown }
    const text = typeof stderr === 'string' && stderr !== '' ? stderr : String(error)
    return { isDone: false, text: (text.split('\n')[0] ?? '').trim() }
  }
}
