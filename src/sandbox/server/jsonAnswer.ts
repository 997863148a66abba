export interface JsonAnswer {
  readonly status: number
  readonly body: unknown
}
