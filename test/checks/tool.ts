import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { endOf, type ProcessEnd } from '../support/endOf.ts'
import type { Scan } from './checker.ts'
import type { Tree } from './tree.ts'

const manifestSchema = z.looseObject({ bin: z.union([z.string(), z.record(z.string(), z.string())]) })

export interface Tool {
  readonly package: string
  readonly command: string
  readonly args: readonly string[]
}

export type ToolRun = ProcessEnd

/**
 * Runs a tool that the tree has installed, with the Node that runs this, in the tree's root, and reads its report.
 *
 * @throws when it is not installed, when its report cannot be read, or when it failed and found nothing
 */
export async function scanWith(tree: Tree, tool: Tool, read: (run: ToolRun) => Scan): Promise<Scan> {
  const run = await runTool(tree, tool)
  const scan = readOrThrow(tool, run, read)
  if (run.exitCode !== 0 && scan.findings.length === 0) throw new Error(`${tool.command} failed and found nothing: ${said(run)}`)
  return scan
}

function readOrThrow(tool: Tool, run: ToolRun, read: (run: ToolRun) => Scan): Scan {
  try {
    return read(run)
  } catch (cause) {
    throw new Error(`${tool.command} gave no report that can be read (exit ${run.exitCode}): ${said(run)}`, { cause })
  }
}

function said({ stdout, stderr }: ToolRun): string {
  return `${stdout}\n${stderr}`.trim().slice(0, 2000)
}

async function runTool(tree: Tree, tool: Tool): Promise<ToolRun> {
  const child = spawn(process.execPath, [entryOf(tree, tool), ...tool.args], {
    cwd: tree.root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
  })
  return endOf(child)
}

function entryOf(tree: Tree, tool: Tool): string {
  const manifest = join(tree.root, 'node_modules', tool.package, 'package.json')
  if (!existsSync(manifest)) throw new Error(`${tool.package} is not installed: run npm ci`)
  const { bin } = manifestSchema.parse(JSON.parse(readFileSync(manifest, 'utf8')))
  const entry = typeof bin === 'string' ? bin : bin[tool.command]
  if (entry === undefined) throw new Error(`${tool.package} has no command ${tool.command}`)
  return join(dirname(manifest), entry)
}
