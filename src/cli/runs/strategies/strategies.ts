import { existsSync } from 'node:fs'
import { CornermanError } from '../../../core/error.ts'
import { isFolder } from '../../../recording/segments.ts'
import { EXIT } from '../../exit.ts'
import { print } from '../../output.ts'
import { formatStrategies } from './formatStrategies.ts'
import { strategyList } from './strategyList.ts'

export interface StrategiesOptions {
  readonly dir: string
  readonly json?: boolean
}

/** @returns the exit code */
export async function strategies({ dir, json }: StrategiesOptions): Promise<number> {
  if (!existsSync(dir)) throw new CornermanError('USAGE', `--dir ${dir}: there is no such folder`)
  if (!isFolder(dir)) throw new CornermanError('USAGE', `--dir ${dir}: it is a file: name a folder`)
  const list = await strategyList(dir)
  print(json, list, formatStrategies(list))
  return list.broken.length > 0 ? EXIT.failed : EXIT.done
}
