/** The navigation: the views, the theme, the shortcuts, and the name of the service. */
import type { JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
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
  onPalette,
}: {
  readonly views: readonly View[]
  readonly current: View | undefined
  readonly onKeys: () => void
  readonly onPalette: () => void
}): JSX.Element {
  const list = useRef<HTMLUListElement>(null)
  // On a narrow page the views are one line that scrolls.
  useLayoutEffect(() => {
    const link = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (list.current === null || link == null) return
    list.current.scrollLeft = link.offsetLeft - (list.current.clientWidth - link.offsetWidth) / 2
  }, [current])
  const { isWritable, runtime, local } = loadedSession()
  return (
    <nav class="nav" aria-label="Views">
      <a class="brand" href={at('/')}>
        <span class="brand-name">svc</span>
        <span class="brand-profile">
          <ServiceName />
        </span>
      </a>
      <ul ref={list} class="nav-views">
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
          <button
            type="button"
            class="quiet small"
            onClick={onPalette}
            aria-label="Go to a view, run, card or push; copy a command"
            aria-keyshortcuts="Control+K"
          >
            <kbd>Ctrl K</kbd>
          </button>
          <button type="button" class="quiet small" onClick={onKeys} aria-label="List the keyboard shortcuts">
            <kbd>?</kbd>
          </button>
        </div>
      </div>
    </nav>
  )
}
