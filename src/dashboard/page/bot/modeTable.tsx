import type { ModeRow } from '../../watch/views.ts'
import { modeText } from '../format/modeText.ts'
import { usdcText } from '../format/usdcText.ts'
import { Code } from '../parts/code.tsx'
import { Instant } from '../parts/instant.tsx'

/** The modes of `guard.modes`: open, or why not; what was lost without a move, and when a closed one is tried next. */
export function ModeTable({ modes }: { readonly modes: readonly ModeRow[] | undefined }) {
  if (modes === undefined) return <p class="soft">Here every mode can be played.</p>
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Mode</th>
          <th scope="col">State</th>
          <th scope="col" class="figure">
            Unplayed
          </th>
        </tr>
      </thead>
      <tbody>
        {modes.map(({ mode, code, why, unplayed, staked, trialAt }) => (
          <tr key={mode}>
            <th scope="row">{modeText(mode)}</th>
            <td>
              {code === undefined ? (
                'open'
              ) : (
                <>
                  <Code code={code} />
                  <small>{why}</small>
                  {trialAt !== undefined && (
                    <small>
                      next trial <Instant at={trialAt} />
                    </small>
                  )}
                </>
              )}
            </td>
            <td class="figure">
              {unplayed}
              {unplayed > 0 && <small>{usdcText(staked)} USDC</small>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
