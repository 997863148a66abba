import { type ExportFormat, exportLog } from '../../../recording/tables.ts'
import { print } from '../../output.ts'

export interface ExportOptions {
  readonly out: string
  readonly format: ExportFormat
  readonly json?: boolean
}

export function exportTables(path: string, { out, format, json }: ExportOptions): void {
  const files = exportLog(path, out, format)
  print(json, { files }, files)
}
