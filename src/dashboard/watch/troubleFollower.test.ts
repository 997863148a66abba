import { expect, test } from 'vitest'
import { TroubleFollower } from './troubleFollower.ts'
import type { Severity, Trouble } from './views.ts'

const reveal = (contestId: string): Trouble => ({ kind: 'revealOverdue', about: contestId, severity: 'alarm', message: `of ${contestId}` })
const left = (strategy: string): Trouble => ({ kind: 'strategySuspended', about: strategy, severity: 'alarm', message: strategy })

function follow(...looks: readonly (readonly Trouble[])[]): string[][] {
  const follower = new TroubleFollower('alice')
  return looks.map((troubles, at) => follower.follow(troubles, at).map(({ kind, about = '', message }) => `${kind} ${about}: ${message}`))
}

test('a reveal of another contest is other money: it is told while the first lasts, and that none is left once', () => {
  const [a, b] = [reveal('A'), reveal('B')]
  expect(follow([a], [a, b], [b], [])).toEqual([
    ['revealOverdue A: of A'],
    ['revealOverdue B: of B'],
    [],
    ['over : no reveal is overdue any more'],
  ])
})

test('another strategy that fails is another fault; one that fails in two contests is one', () => {
  const crossover = left('crossover')
  expect(follow([crossover], [crossover, crossover], [crossover, left('ladder')])).toEqual([
    ['strategySuspended crossover: crossover'],
    [],
    ['strategySuspended ladder: ladder'],
  ])
})

test('what becomes worse is told again, what becomes milder is not', () => {
  const late = (severity: Severity): Trouble => ({ kind: 'streamLate', severity, message: severity })
  expect(follow([late('warn')], [late('alarm')], [late('warn')], [late('alarm')])).toEqual([
    ['streamStale : warn'],
    ['streamStale : alarm'],
    [],
    ['streamStale : alarm'],
  ])
})
