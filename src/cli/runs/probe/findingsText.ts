import { MODES } from '../../../contract/modes.ts'
import { lackingIn, type Need, nameOf, needsOf, type Shapes } from '../../../contract/shapes/shapes.ts'
import type { Finding, Findings } from '../../../probe/find/finding.ts'

const MOST_CANDIDATES = 4
const MOST_SAMPLE = 60

/** Names of everything that some mode needs, once each, in the order in which modes need them. */
function neededNames(): readonly string[] {
  const flat = (need: Need): string[] => (typeof need === 'string' ? [need.startsWith('phase.') ? 'phase' : need] : need.flatMap(flat))
  return [...new Set(MODES.flatMap((mode) => needsOf(mode).flatMap(flat)))]
}

/** What was found of each needed piece, and which modes can be played by it, for a person. */
export function findingsLines({ pieces, shapes, conflicts }: Findings): string[] {
  const lines = neededNames().flatMap((name) => {
    const finding = pieces[name]
    return finding === undefined ? [] : [lineOf(finding), ...candidateLines(finding)]
  })
  return [...lines, ...conflicts.map((conflict) => `contradiction: ${conflict}`), '', ...modeLines(shapes)]
}

function lineOf({ name, verdict, place, sample, proof }: Finding): string {
  const at = place === undefined ? '' : `  ${typeof place === 'string' ? place || "''" : JSON.stringify(place)}`
  const shown = sample === undefined ? '' : `  = ${shortened(sample)}`
  return `${verdict.padEnd(9)} ${name.padEnd(16)}${at}${shown}${proof === undefined ? '' : `  (${proof})`}`
}

/** Of one that could not be decided a person may: what stands at each place. */
function candidateLines({ verdict, candidates }: Finding): string[] {
  if (verdict !== 'ambiguous') return []
  return candidates.slice(0, MOST_CANDIDATES).map(({ place, sample }) => `${' '.repeat(10)}  ${place}  = ${shortened(sample)}`)
}

const shortened = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length <= MOST_SAMPLE ? text : `${text.slice(0, MOST_SAMPLE)}…`
}

/** A line a mode: playable by the mapping, or what it lacks. */
function modeLines(shapes: Shapes): string[] {
  const lacking = lackingIn(shapes)
  return MODES.map((mode) => {
    const needs = lacking.get(mode)
    return needs === undefined ? `${mode.padEnd(18)} can be played` : `${mode.padEnd(18)} lacks ${needs.map(nameOf).join(', ')}`
  })
}
