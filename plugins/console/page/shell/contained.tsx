/** Catches the errors of a view, so that a mistake in one view does not break the rest of the page. */
import { Component, type ComponentChildren } from 'preact'
import { Empty, Head } from '../parts/parts.tsx'

/** Shows its children, or the error that they threw. */
export class Contained extends Component<{ readonly children: ComponentChildren }, { readonly error?: unknown }> {
  static override getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error }
  }

  override componentDidCatch(error: unknown): void {
    console.error(error)
  }

  override render(): ComponentChildren {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return (
      <>
        <Head title="This view failed" />
        <Empty title={error instanceof Error ? error.message : String(error)}>
          The other views are not affected.{' '}
          <button type="button" onClick={() => this.setState({ error: undefined })}>
            Try again
          </button>
        </Empty>
      </>
    )
  }
}
