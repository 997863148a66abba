import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { CornermanError } from '../../../core/error.ts'
import { lockAgent } from '../../../live/index.ts'
import { segmentsIn, writing } from '../../../recording/segments.ts'

/** What is recorded as, and the name of the folder: no bot may have it. */
export const SCOUT = 'scout'

const noteSchema = z.looseObject({ service: z.string() })

export interface ScoutFolder {
  readonly path: string
  /** Lets another scout have it. */
  release(): Promise<void>
}

/**
 * Takes the folder of a scout's recording for this process.
 *
 * @param service what it is recorded of: `sandbox`, or the address of a service
 * @throws CornermanError `SCOUT_BUSY`, `SCOUT_OF_ANOTHER`, `RECORDING_WRITE_FAILED`
 */
export async function takeScoutFolder(dataDir: string, service: string): Promise<ScoutFolder> {
  const path = join(dataDir, 'recordings', SCOUT)
  writing(path, () => mkdirSync(path, { recursive: true }))
  const lock = await lockOf(path)
  try {
    expectSame(path, service)
    return { path, release: () => lock.release() }
  } catch (thrown) {
    await lock.release()
    throw thrown
  }
}

async function lockOf(path: string): ReturnType<typeof lockAgent> {
  try {
    const holder = `process ${process.pid} (data directory ${resolve(path, '../..')})`
    return await lockAgent({ url: 'http://scout.invalid', agent: realpathSync(path), holder })
  } catch (thrown) {
    if (!(thrown instanceof CornermanError) || thrown.code !== 'AGENT_IN_USE') throw thrown
    const [, who = 'another process'] = /played by (.*?) already/.exec(thrown.message) ?? []
    const problem = `${path} is being recorded by ${who}: stop that scout, or use another --data-dir`
    throw new CornermanError('SCOUT_BUSY', problem, { cause: thrown })
  }
}

function expectSame(path: string, service: string): void {
  const note = join(path, 'scout.json')
  const recorded = existsSync(note) ? serviceIn(note) : undefined
  if (recorded === service) return
  const leave = 'use another --data-dir, or move that folder away'
  if (recorded !== undefined)
    throw new CornermanError('SCOUT_OF_ANOTHER', `${path} was recorded of ${recorded}, and the config plays on ${service}: ${leave}`)
  if (existsSync(note) || segmentsIn(path).length > 0)
    throw new CornermanError(
      'SCOUT_OF_ANOTHER',
      `${path} holds a recording, and nothing in it says that a scout made it, and where: ${leave}`,
    )
  writing(path, () => {
    writeFileSync(`${note}.new`, `${JSON.stringify({ version: 1, service })}\n`)
    renameSync(`${note}.new`, note)
  })
}

function serviceIn(note: string): string | undefined {
  try {
    return noteSchema.parse(JSON.parse(readFileSync(note, 'utf8'))).service
  } catch {
    return undefined
  }
}
