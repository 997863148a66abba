import { MODES, type Mode } from '../contract/modes.ts'
import { CornermanError } from '../core/error.ts'

/**
 * The modes of `--modes`, in the order of the interface; undefined where nothing was asked for.
 *
 * @param text with commas between them
 * @throws CornermanError `USAGE`
 */
export function modesAsked(text: string | undefined): readonly Mode[] | undefined {
  if (text === undefined) return undefined
  const names = text.split(',')
  const unknown = names.find((name) => !MODES.some((mode) => mode === name))
  if (unknown !== undefined) throw new CornermanError('USAGE', `--modes: ${unknown} is no mode; there is ${MODES.join(', ')}`)
  return MODES.filter((mode) => names.includes(mode))
}
