import { useState } from 'preact/hooks'
import type { Said } from '../live/say.ts'
import { AskDialog } from '../parts/askDialog.tsx'
import { type Order, sendOrder } from './sendOrder.ts'

interface OrderButtonProps {
  readonly bot: string
  readonly order: Order
  /** On the button: `Leave`. */
  readonly name: string
  /** What is asked before it is done, with what it is about: `Leave best trade?`. */
  readonly question: string
  /** What comes of it. */
  readonly explained: string
}

/** Has a bot do something now, once it was confirmed. */
export function OrderButton({ bot, order, name, question, explained }: OrderButtonProps) {
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <button type="button" class="order" aria-haspopup="dialog" aria-label={question} onClick={() => setAsked(true)}>
        {name}
      </button>
      {isAsked && <OrderDialog {...{ bot, order, name, question, explained }} onClose={() => setAsked(false)} />}
    </>
  )
}

function OrderDialog({ bot, order, name, question, explained, onClose }: OrderButtonProps & { readonly onClose: () => void }) {
  const [said, setSaid] = useState<Said>()
  // Once it is under way it is not sent again: a second press would be a second order.
  const [isSent, setSent] = useState(false)
  const confirm = async () => {
    setSent(true)
    setSaid(await sendOrder(bot, order))
  }
  const isOver = said !== undefined
  return (
    <AskDialog {...{ title: `${bot}: ${question}`, said, isOver, leave: isSent ? 'Close' : 'Keep it', onClose }}>
      {!isOver && (
        <div class="choice">
          <p>{explained}</p>
          <button type="button" class="confirm stopEntries" disabled={isSent} onClick={() => void confirm()}>
            {isSent ? `${name}…` : name}
          </button>
        </div>
      )}
    </AskDialog>
  )
}
