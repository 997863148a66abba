import { filter, type Observable, Subject } from 'rxjs'
import type { InputBody, SiblingEntry, Siblings } from '../pipeline/index.ts'

type Heard = Extract<InputBody, { type: 'siblingEntered' | 'siblingLeft' }>

/** Lets the bots of one process hear of one another's entries. */
export class SiblingBus {
  readonly #heard$ = new Subject<Heard>()

  portOf(bot: string): Siblings {
    const heard$: Observable<Heard> = this.#heard$.pipe(filter((heard) => (heard.type === 'siblingEntered' ? heard.entry.bot : heard.bot) !== bot))
    return {
      heard$,
      entered: (entry: SiblingEntry) => this.#heard$.next({ type: 'siblingEntered', entry }),
      left: (who: string, key: string) => this.#heard$.next({ type: 'siblingLeft', bot: who, key }),
    }
  }
}
