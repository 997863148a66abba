import { CornermanError } from '../../core/error.ts'
import { show } from '../../core/show.ts'

/** A strategy's answer that is not what was asked for. @param wanted with its article */
export const answerInvalid = (wanted: string, got: unknown): CornermanError =>
  new CornermanError('ANSWER_INVALID', `it should return ${wanted}, and returned ${show(got)}`)
