import { EMPTY, map, merge, type Observable } from 'rxjs'
import type { InputBody, OperatorWord } from '../protocol/input.ts'
import type { Ports } from '../protocol/ports.ts'

/** What a bot is told from outside the service: what is known of tokens, and the operator's words. */
export function commandsOf({ tokens$ = EMPTY, operator$ }: Pick<Ports, 'tokens$' | 'operator$'>): Observable<InputBody> {
  return merge(tokens$.pipe(map((tokens): InputBody => ({ type: 'tokens', tokens }))), operator$.pipe(map(saidBy)))
}

function saidBy(said: OperatorWord): InputBody {
  if (typeof said === 'string') return { type: 'operator', command: said }
  return 'mode' in said ? { type: 'mode', ...said } : { type: 'ordered', order: said }
}
