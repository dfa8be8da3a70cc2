/** The navigation: the views, the theme, the shortcuts, and the name of the service. */
import type { JSX } from 'preact'
import { visible } from '../lib/format.ts'
import { at } from '../lib/router.ts'
import { loadedSession } from '../lib/service.ts'
import { type Theme, theme } from '../lib/theme.ts'
import { ServiceName } from '../parts/service-name.tsx'
import type { View } from '../views/view.ts'
import { Icon } from './icons.tsx'

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' }
const TITLES: Readonly<Record<Theme, string>> = { system: 'As the system', light: 'Light', dark: 'Dark' }

/** Shows the links to the views, and below them the service, the theme and the list of shortcuts. */
export function Navigation({
  views,
  current,
  onKeys,
}: {
  readonly views: readonly View[]
  readonly current: View | undefined
  readonly onKeys: () => void
}): JSX.Element {
  const { isWritable, runtime, local } = loadedSession()
  return (
    <nav class="nav" aria-label="Views">
      <a class="brand" href={at('/')}>
        <span class="brand-name">svc</span>
        <span class="brand-profile">
          <ServiceName />
        </span>
      </a>
      <ul class="nav-views">
        {views.map((view) => (
          <li key={view.path}>
            <a href={at(`/${view.path}`)} aria-current={view === current ? 'page' : undefined}>
              <Icon name={view.icon} />
              <span>{view.title}</span>
              <kbd>{view.key}</kbd>
            </a>
          </li>
        ))}
      </ul>
      <div class="nav-foot">
        <p class="nav-where">
          {runtime !== null && <span title="The runtime surface">{runtime.origin.replace(/^https?:\/\//, '')}</span>}
          {runtime === null && local !== null && <span>local socket</span>}
          {runtime?.user != null && (
            <span title="The user of the console's credential">as {visible(runtime.user)}</span>
          )}
          <span class={isWritable ? 'nav-write' : undefined}>{isWritable ? 'can write' : 'read-only'}</span>
        </p>
        <div class="nav-buttons">
          <button
            type="button"
            class="quiet small"
            aria-label={`${TITLES[theme.value]}: theme`}
            onClick={() => {
              theme.value = NEXT[theme.value]
            }}
          >
            <Icon name="sun" />
            <span>{TITLES[theme.value]}</span>
          </button>
          <button type="button" class="quiet small" onClick={onKeys} aria-label="List the keyboard shortcuts">
            <kbd>?</kbd>
          </button>
        </div>
      </div>
    </nav>
  )
}
