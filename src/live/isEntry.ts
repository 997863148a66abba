import type { ActionRequest } from '../pipeline/index.ts'

const ENTRIES: ReadonlySet<ActionRequest['procedure']> = new Set(['agent.queue.enqueue', 'agent.contests.create', 'agent.contests.join'])

/** Whether an action puts a stake at risk that was not before. */
export const isEntry = ({ procedure }: Pick<ActionRequest, 'procedure'>): boolean => ENTRIES.has(procedure)
