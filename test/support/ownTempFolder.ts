import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Everything that a run of the tests puts into the temporary folder goes with it, also what its killed processes left there. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'cornerman-tests-'))
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
