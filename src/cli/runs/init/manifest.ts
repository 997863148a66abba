/** The parts of the framework's own manifest that a folder of bots takes over. */
export interface OwnManifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly allowScripts?: Readonly<Record<string, boolean>>
}

/** What strategies import; of the framework's own versions, so that there is one of each. */
const IMPORTED = ['rxjs', 'zod'] as const
const TOOLS = ['@types/node', 'fast-check', 'typescript', 'vitest'] as const

/** The `package.json` of a folder of bots. Its scripts run as those of the framework's clone do. */
export function manifestOf(
  { dependencies, devDependencies, allowScripts }: OwnManifest,
  { name, tarball }: { readonly name: string; readonly tarball: string },
): object {
  const versions = (names: readonly string[], from: Readonly<Record<string, string>>) =>
    Object.fromEntries(names.map((each) => [each, from[each] ?? '*']))
  return {
    name: packageName(name),
    private: true,
    type: 'module',
    scripts: {
      start: 'cornerman start',
      cornerman: 'cornerman',
      // A hang, and not a slow machine.
      test: 'vitest run --testTimeout=60000',
      types: 'tsc',
      // The package is imported by its name because npm installs the packages of a workspace in the folder above.
      postinstall: 'node --input-type=module --eval "import \'cornerman/link-node\'"',
    },
    dependencies: { cornerman: `file:${tarball}`, ...versions(IMPORTED, dependencies) },
    devDependencies: versions(TOOLS, devDependencies),
    ...(allowScripts === undefined ? {} : { allowScripts: { ...allowScripts, cornerman: false } }),
  }
}

/** The name of a folder as npm takes names: small letters, digits and dashes. */
function packageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return name === '' ? 'bots' : name
}
