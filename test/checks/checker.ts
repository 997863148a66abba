import type { Files, Tree } from './tree.ts'

/** What a checker has against one file. There are no warnings: every finding makes the check red. */
export interface Finding {
  /** Relative to the tree, with forward slashes. */
  readonly file: string
  readonly line?: number | undefined
  readonly rule: string
  readonly message: string
}

export interface Scan {
  /** How many things the checker says it looked at. */
  readonly scanned: number
  readonly findings: readonly Finding[]
  /** Why less was looked at than there may be, where that is no fault: it is shown, and the check stays green. */
  readonly excuse?: string | undefined
}

/** A violation that the checker must find. */
export interface Plant {
  /** The file and the rule that a finding must name. */
  readonly file: string
  readonly rule: string
  /** What its message must hold, where file and rule do not tell this violation from another planted one. */
  readonly says?: string
  readonly files: Files
  /** Subjects of commits to make, each empty, in a repository of the copy. */
  readonly commits?: readonly string[]
}

/** One of the checks, with the proof that it can fail. */
export interface Checker {
  readonly name: string
  /** What it counts. A checker of files must have looked at every TypeScript file there is. */
  readonly counts: 'files' | 'packages' | 'exports' | 'commits'
  /** @throws when the tool is missing, breaks down, or answers what cannot be read */
  scan(tree: Tree): Promise<Scan>
  readonly plants: readonly Plant[]
  /** Files close to a violation that the checker must let pass. */
  readonly innocents: Files
}

export interface Verdict {
  readonly green: boolean
  readonly scanned: number
  readonly findings: readonly Finding[]
  /** Why the verdict is red where no finding says it. */
  readonly reason?: string
  readonly excuse?: string | undefined
}

export async function judge(checker: Checker, tree: Tree): Promise<Verdict> {
  try {
    const { scanned, findings, excuse } = await checker.scan(tree)
    const least = checker.counts === 'files' ? Math.max(1, tree.sources().length) : 1
    if (scanned < least && excuse === undefined) {
      const reason = `looked at ${scanned} ${checker.counts} where there are at least ${least}: its configuration leaves some out`
      return { green: false, scanned, findings, reason }
    }
    return { green: findings.length === 0, scanned, findings, ...(excuse !== undefined && { excuse }) }
  } catch (error) {
    return { green: false, scanned: 0, findings: [], reason: error instanceof Error ? error.message : String(error) }
  }
}
