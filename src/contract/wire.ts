import { z } from 'zod'

// Part 1, "Wire format", and part 7. A result or an error may carry `meta` beside `json`; it is
// read past, since amounts and dates are text inside `json` already.

export const AGENT_KEY_HEADER = 'x-agent-key'

export const successSchema = z.looseObject({ result: z.looseObject({ data: z.looseObject({ json: z.unknown() }) }) })

const failureSchema = z.looseObject({
  error: z.looseObject({
    json: z.looseObject({
      message: z.string().optional().catch(undefined),
      data: z
        .looseObject({
          appCode: z.string().min(1).optional().catch(undefined),
          code: z.string().min(1).optional().catch(undefined),
          details: z.unknown().optional(),
        })
        .optional()
        .catch(undefined),
    }),
  }),
})

/** A refusal by the service: `code` is its `appCode`, else its `code`, else `HTTP_<status>`. */
export interface ServiceRefusal {
  readonly code: string
  readonly message: string
  readonly status: number
  readonly details?: unknown
}

/** Whether a body is an error's, whatever the HTTP status: which one a failure has is not shown (part 7). */
export const isFailure = (body: unknown): boolean => failureSchema.safeParse(body).success

/** Reads an error answer; a body of another form still gives a code and the status. */
export function readRefusal(status: number, body: unknown): ServiceRefusal {
  const parsed = failureSchema.safeParse(body)
  const { message, data } = parsed.success ? parsed.data.error.json : {}
  return {
    code: data?.appCode ?? data?.code ?? `HTTP_${status}`,
    message: message ?? `the service answered HTTP ${status}`,
    status,
    ...(data?.details === undefined ? {} : { details: data.details }),
  }
}
