import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

const files = new Set<string>()

// From here on: a config is imported after this. What is in the cache already is not resolved again.
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    if (resolved.url.startsWith('file:')) files.add(fileURLToPath(resolved.url))
    return resolved
  },
})

/** The files that modules were loaded from so far: the code of a config is among them, and nothing that it does not import. */
export const ownModules = (): readonly string[] => [...files]
