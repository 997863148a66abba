/** A rule that says no. It is told in the body of an answer; the HTTP status of a refusal stays 200, which the specification leaves open. */
export class Refusal extends Error {
  readonly appCode: string
  readonly details: unknown

  constructor(appCode: string, message: string, details: unknown = null) {
    super(message)
    this.appCode = appCode
    this.details = details
  }
}
