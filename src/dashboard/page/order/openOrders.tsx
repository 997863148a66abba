import type { OpenRow } from '../../watch/views.ts'
import { modeText } from '../format/modeText.ts'
import { OrderButton } from './orderButton.tsx'

/** What can be done about something open: a ticket is cancelled, a seat in a contest that has not begun is left. */
export function OpenOrders({ bot, row: { kind, id, mode, phase } }: { readonly bot: string; readonly row: OpenRow }) {
  if (kind === 'ticket')
    return (
      <OrderButton
        {...{ bot, order: { type: 'cancelTicket', ticketId: id }, name: 'Cancel' }}
        question={`Cancel the ticket for ${modeText(mode)}?`}
        explained="It waits for no match any more, and its stake is free again. Where a match was found meanwhile the service refuses, and the contest is played."
      />
    )
  if (phase !== 'open') return null
  return (
    <OrderButton
      {...{ bot, order: { type: 'leaveContest', contestId: id }, name: 'Leave' }}
      question={`Leave ${modeText(mode)}?`}
      explained="The seat is given back, and its stake is free again. Where the contest has begun meanwhile the service refuses, and it is played."
    />
  )
}
