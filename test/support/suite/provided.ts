declare module 'vitest' {
  interface ProvidedContext {
    /** The project of `vitest.config.ts` that runs. */
    readonly suite: 'fast' | 'system'
    /** Properties draw their cases from it. */
    readonly seed: number
  }
}

export {}
