import { EMPTY, map, merge, type Observable } from 'rxjs'
import type { InputBody, OperatorWord } from '../protocol/input.ts'
import type { Ports } from '../protocol/ports.ts'

/** Inputs that do not come from the service: clock offsets, pauses of the process, the wallet on the chain, the price feed, token facts, and operator commands. */
export function commandsOf({
  skewMs$ = EMPTY,
  lagMs$ = EMPTY,
  gapMs$ = EMPTY,
  pause$ = EMPTY,
  chainUsdc$ = EMPTY,
  feedTrouble$ = EMPTY,
  tokens$ = EMPTY,
  operator$,
}: Pick<
  Ports,
  'skewMs$' | 'lagMs$' | 'gapMs$' | 'pause$' | 'chainUsdc$' | 'feedTrouble$' | 'tokens$' | 'operator$'
>): Observable<InputBody> {
  return merge(
    skewMs$.pipe(map((skewMs): InputBody => ({ type: 'clock', skewMs }))),
    lagMs$.pipe(map((lagMs): InputBody => ({ type: 'clock', lagMs }))),
    gapMs$.pipe(map((gapMs): InputBody => ({ type: 'clock', gapMs }))),
    pause$.pipe(map((pause): InputBody => ({ type: 'paused', ...pause }))),
    chainUsdc$.pipe(map((usdc): InputBody => ({ type: 'chainBalance', usdc }))),
    feedTrouble$.pipe(map((trouble): InputBody => ({ type: 'feed', ...(trouble === undefined ? {} : { trouble }) }))),
    tokens$.pipe(map((tokens): InputBody => ({ type: 'tokens', tokens }))),
    operator$.pipe(map(saidBy)),
  )
}

function saidBy(said: OperatorWord): InputBody {
  if (typeof said === 'string') return { type: 'operator', command: said }
  return 'mode' in said ? { type: 'mode', ...said } : { type: 'ordered', order: said }
}
