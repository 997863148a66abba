import type { FigureValue } from '../format/figures.ts'

/** The class of a figure that is good above zero and bad below. The sign says the same to who sees no colours. */
export function toneOf(value: FigureValue): 'up' | 'down' | 'even' {
  if (value === null || Number(value) === 0) return 'even'
  return value > 0 ? 'up' : 'down'
}
