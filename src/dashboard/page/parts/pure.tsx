import { Component, type FunctionComponent } from 'preact'

/**
 * The component, drawn again only when one of its properties is another one: what has not changed in a view is the same object as
 * before, and of 200 bots most have not changed.
 */
export function pure<Props extends object>(Drawn: FunctionComponent<Props>): FunctionComponent<Props> {
  class Pure extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const now: Props = this.props
      return (Object.keys(next) as (keyof Props)[]).some((key) => next[key] !== now[key])
    }

    override render(props: Props) {
      return <Drawn {...props} />
    }
  }
  return Pure as unknown as FunctionComponent<Props>
}
