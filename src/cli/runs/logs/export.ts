import { type ExportFormat, exportLog } from '../../../recording/tables.ts'
import { print } from '../../output.ts'
import { progressOfBytes, withProgress } from '../../progress.ts'

export interface ExportOptions {
  readonly out: string
  readonly format: ExportFormat
  readonly json?: boolean
}

export function exportTables(path: string, { out, format, json }: ExportOptions): void {
  const files = withProgress(progressOfBytes(), ({ update }) => exportLog(path, out, format, update))
  print(json, { files }, files)
}
