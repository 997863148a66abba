import type { BotRow, Severity } from '../../watch/views.ts'
import { BotLink } from '../parts/botLink.tsx'
import { pure } from '../parts/pure.tsx'
import { TroubleList } from '../parts/troubleList.tsx'

const RANKS: readonly (Severity | undefined)[] = ['alarm', 'warn', 'info', undefined]

/** Who needs a look, the worst first. */
export const Attention = pure(function Attention({ bots }: { readonly bots: readonly BotRow[] }) {
  const troubled = bots.filter(({ severity }) => severity === 'alarm' || severity === 'warn')
  const sorted = troubled.toSorted((a, b) => RANKS.indexOf(a.severity) - RANKS.indexOf(b.severity))
  return (
    <section class="attention" aria-labelledby="attention">
      <h2 id="attention" class={sorted.length === 0 ? 'unseen' : undefined}>
        Needs a look
      </h2>
      {sorted.length === 0 ? (
        <p class="well">All bots are well.</p>
      ) : (
        <ul>
          {sorted.map((bot) => (
            <li key={bot.name} class={bot.severity}>
              <BotLink bot={bot} />
              <TroubleList troubles={bot.troubles} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
})
