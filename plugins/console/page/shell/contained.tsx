/** A view that fails by a mistake of ours takes nothing else of the page with it. */
import { Component, type ComponentChildren } from 'preact'
import { Empty, Head } from '../parts/parts.tsx'

/** Shows its children, or what went wrong in them. */
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
