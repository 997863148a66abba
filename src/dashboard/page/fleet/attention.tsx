import type { BotRow, Severity } from '../../watch/views.ts'
import { pure } from '../parts/pure.tsx'
import { TroubleList } from '../parts/troubleList.tsx'
import { hashOf } from '../route.ts'

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
          {sorted.map(({ name, severity, troubles }) => (
            <li key={name} class={severity}>
              <a href={hashOf({ kind: 'bot', bot: name })}>{name}</a>
              <TroubleList troubles={troubles} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
})
