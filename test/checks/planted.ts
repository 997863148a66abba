import { type Checker, judge, type Verdict } from './checker.ts'
import { type Tree, withCopy } from './tree.ts'

/**
 * Proves, on copies of a green tree, that a checker can fail. Without its tool it says so. Where violations are
 * planted it names every one of them and nothing else: neither the innocent files added, nor the rest of the copy,
 * which is thereby shown to be green.
 *
 * @returns what it failed to prove; empty when all is well
 */
export async function doubtsAbout(checker: Checker, tree: Tree): Promise<readonly string[]> {
  const verdict = await withCopy(tree, {}, (copy) => {
    copy.write(checker.innocents)
    for (const { files, commits } of checker.plants) {
      copy.write(files)
      if (commits !== undefined) copy.commit(commits)
    }
    return judge(checker, copy)
  })
  return [...(await missingToolDoubts(checker, tree)), ...plantDoubts(checker, verdict)]
}

async function missingToolDoubts(checker: Checker, tree: Tree): Promise<string[]> {
  if (checker.counts !== 'files') return [] // It runs no tool that is installed with the packages.
  const { green, reason } = await withCopy(tree, { withoutPackages: true }, (copy) => judge(checker, copy))
  return !green && reason?.includes('not installed') ? [] : [`does not say that its tool is missing, but ${reason ?? 'is green'}`]
}

function plantDoubts({ plants }: Checker, { findings, reason }: Verdict): string[] {
  if (reason !== undefined) return [`gives no findings on planted violations: ${reason}`]
  const missed = plants.filter(
    ({ file, rule, says = '' }) =>
      !findings.some((finding) => finding.file === file && finding.rule === rule && finding.message.includes(says)),
  )
  const planted = new Set(plants.flatMap(({ file, files }) => [file, ...Object.keys(files)]))
  const strays = findings.filter(({ file }) => !planted.has(file))
  return [
    ...missed.map(({ file, rule, files, says }) => `does not find ${rule} planted in ${file}: ${says ?? JSON.stringify(files[file])}`),
    ...strays.map(({ file, rule, message }) => `names ${file}, where nothing was planted: ${message} (${rule})`),
  ]
}
