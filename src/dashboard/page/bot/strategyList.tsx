import type { StrategyRow } from '../../watch/views.ts'
import { hashOf } from '../route.ts'

export function StrategyList({ bot, strategies }: { readonly bot: string; readonly strategies: readonly StrategyRow[] }) {
  if (strategies.length === 0)
    return (
      <p class="soft">
        It has none, and does nothing: add one to its <code>strategies</code> in <code>bots.config.ts</code>.
      </p>
    )
  return (
    <ul class="strategies">
      {strategies.map(({ name, kind, params, faults, suspendedIn }) => (
        <li key={name}>
          <h3>
            {name} <span class="soft">{kind}</span>
          </h3>
          {faults > 0 && <p class="caution">{faults === 1 ? 'One fault' : `${faults} faults`} since the start</p>}
          {suspendedIn.length > 0 && (
            <p class="caution">
              Left alone in{' '}
              {suspendedIn.map((contestId, index) =>
                contestId ? (
                  <a key={contestId} href={hashOf({ kind: 'contest', bot, contestId })}>
                    {index > 0 && ', '}one contest
                  </a>
                ) : (
                  'everything, for a minute'
                ),
              )}
            </p>
          )}
          <dl class="params">
            {Object.entries(params).map(([param, value]) => (
              <div key={param}>
                <dt>{param}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}
