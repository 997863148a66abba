/** What a worker answers: errors of ours lose their code on the way between threads. */
export type Answer<R> = { readonly result: R } | { readonly code: string; readonly message: string }

/** That a job came to nothing, for good. */
export interface Lost {
  readonly lost: 'hung' | 'out of memory' | 'ended'
}

export const isLost = (result: object): result is Lost => 'lost' in result

/** Whoever plays jobs, apart from the process that asks: one that hangs or eats its memory can be ended. */
export interface Pool<J, R> {
  /**
   * @param onDone told of each job as it is done
   * @param weight how many times the usual time they may take: a run without a break is as long as all blocks together
   * @returns what they came to, in their order
   * @throws CornermanError with the code that a worker answered
   */
  play(jobs: readonly J[], onDone?: (index: number, result: R | Lost) => void, weight?: number): Promise<readonly (R | Lost)[]>
  close(): Promise<void>
}
