/** The page: the navigation, the view of the present address, and the shortcuts of all views. */

import type { JSX } from 'preact'
import { Component, type ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useKeys } from '../lib/keys.ts'
import { useLoad } from '../lib/load.ts'
import { at, go, path } from '../lib/router.ts'
import { loadedSession, loadSession, session } from '../lib/service.ts'
import { Empty, Head } from '../parts/parts.tsx'
import type { View } from '../views/view.tsx'
import { views } from '../views/views.ts'
import { ConnectionBar } from './connection-bar.tsx'
import { KeyList } from './key-list.tsx'
import { Navigation } from './navigation.tsx'
import { Palette } from './palette.tsx'

/** Time between two reads of the session, in milliseconds. */
const SESSION_MS = 10_000

/** The whole page. */
export function App(): JSX.Element {
  const loaded = session.value
  return (
    <>
      <ConnectionBar />
      {loaded === undefined ? <p class="starting">Loading…</p> : <Shell />}
    </>
  )
}

function Shell(): JSX.Element {
  const [showsKeys, setShowsKeys] = useState(false)
  const [showsPalette, setShowsPalette] = useState(false)
  // The service may be another build after a restart.
  useLoad(loadSession, { everyMs: SESSION_MS })
  const present = views.filter(isPresent)
  const view = present.find((candidate) => candidate.path === (path.value[0] ?? ''))
  useKeys([
    {
      keys: 'Control+k',
      does: 'Go to a view, run, card or push; copy a command',
      worksInFields: true,
      run: () => setShowsPalette(true),
    },
    { keys: '?', does: 'List the keyboard shortcuts', run: () => setShowsKeys(true) },
    { keys: '/', does: 'Search in this view', run: focusSearch },
    ...present.map(({ key, title, path: to }) => ({ keys: `g ${key}`, does: title, run: () => go(`/${to}`) })),
  ])
  return (
    <div class="shell">
      <a class="skip" href="#view">
        Skip to the view
      </a>
      <Navigation
        views={present}
        current={view}
        onKeys={() => setShowsKeys(true)}
        onPalette={() => setShowsPalette(true)}
      />
      <main id="view" tabIndex={-1}>
        {view === undefined ? (
          <Absent />
        ) : (
          <Contained key={view.path}>
            <view.component />
          </Contained>
        )}
      </main>
      {showsKeys && <KeyList onClose={() => setShowsKeys(false)} />}
      {showsPalette && <Palette views={present} onClose={() => setShowsPalette(false)} />}
    </div>
  )
}

function isPresent({ needs }: View): boolean {
  return needs.some((name) => session.value?.views.includes(name))
}

function focusSearch(): void {
  document.querySelector<HTMLInputElement>('main input[type="search"]')?.focus()
}

function Absent(): JSX.Element {
  const { service } = loadedSession()
  return (
    <Empty title="There is nothing at this address">
      {service === null
        ? 'The profile of the service is not known.'
        : `The profile of the service is ${service.profile}.`}{' '}
      It may not have this view. <a href={at('/')}>Overview</a>
    </Empty>
  )
}

/** Shows its children, or the error that they threw. */
class Contained extends Component<{ readonly children: ComponentChildren }, { readonly error?: unknown }> {
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
