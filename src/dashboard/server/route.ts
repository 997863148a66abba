/** One more address of the dashboard, read by GET. */
export interface Route {
  readonly path: `/${string}`
  /** False: whoever reaches the server may read it, a monitoring system that knows no cookie, say. */
  readonly needsSession: boolean
  handle(): RouteAnswer | Promise<RouteAnswer>
}

export interface RouteAnswer {
  readonly status: number
  /** Of the body, as in `content-type`. */
  readonly type: string
  readonly body: string
}
