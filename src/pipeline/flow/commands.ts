import { EMPTY, map, merge, type Observable } from 'rxjs'
import type { InputBody, ModeCommand, OperatorCommand } from '../protocol/input.ts'
import type { Ports } from '../protocol/ports.ts'

/** What a bot is told from outside the service: what is known of tokens, and the operator's words. */
export function commandsOf({ tokens$ = EMPTY, operator$ }: Pick<Ports, 'tokens$' | 'operator$'>): Observable<InputBody> {
  return merge(tokens$.pipe(map((tokens): InputBody => ({ type: 'tokens', tokens }))), operator$.pipe(map(saidBy)))
}

const saidBy = (said: OperatorCommand | ModeCommand): InputBody =>
  typeof said === 'string' ? { type: 'operator', command: said } : { type: 'mode', ...said }
