/**
 * How long one address of a name may take to accept a connection before the next is tried (`autoSelectFamilyAttemptTimeout`), in milliseconds.
 * Node's own 250 ms give up on whatever is further away. Half of the timeout leaves the other half to the other address family.
 */
export const addressTimeoutMs = (timeoutMs: number): number => Math.max(10, Math.floor(timeoutMs / 2))
