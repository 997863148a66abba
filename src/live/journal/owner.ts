import { CornermanError } from '../../core/error.ts'

/** What a bot is told whose name stands for another agent by now. */
export function ofAnother(file: string, owner: string, agentId: string): CornermanError {
  return new CornermanError(
    'JOURNAL_OF_ANOTHER_AGENT',
    `${file} is the journal of agent ${owner}, this bot is agent ${agentId}: rename the bot, or give it another --data-dir`,
  )
}
