/** The parts of a manifest that differ between the clone and the package. */
export interface Manifest {
  readonly exports: Readonly<Record<string, unknown>>
  readonly bin: Readonly<Record<string, string>>
  readonly files: readonly string[]
  readonly dependencies: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

/** Makes the dashboard's page: the package has it made. */
const OF_THE_BUILD: readonly string[] = ['es-module-lexer', 'oxc-transform', 'preact']
/** The clone's own. */
const OF_THE_CLONE: readonly string[] = ['scripts', 'overrides']

/**
 * The manifest that is packed: its doors lead into `dist/`, and what only the clone needs is left out.
 *
 * @param manifest of the clone
 */
export function manifestOf(manifest: Manifest): Manifest {
  const kept = Object.entries(manifest).filter(([field]) => !OF_THE_CLONE.includes(field))
  const doors = Object.entries(manifest.exports).map(([door, file]) => [door, typeof file === 'string' ? builtDoor(file) : file])
  const dependencies = Object.entries(manifest.dependencies).filter(([name]) => !OF_THE_BUILD.includes(name))
  return {
    ...Object.fromEntries(kept),
    exports: Object.fromEntries(doors),
    bin: Object.fromEntries(Object.entries(manifest.bin).map(([name, file]) => [name, built(file)])),
    engines: { node: '>=22.19.0' },
    files: manifest.files,
    dependencies: Object.fromEntries(dependencies),
  }
}

const built = (file: string): string => file.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, '.js')

/** Types first: conditions are read in their order. */
function builtDoor(file: string): string | { readonly types: string; readonly default: string } {
  if (!file.endsWith('.ts')) return built(file)
  return { types: built(file).replace(/\.js$/, '.d.ts'), default: built(file) }
}
