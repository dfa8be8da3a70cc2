/** The navigation: the views, the theme, the shortcuts, and the name of the service. */
import { effect, type Signal, signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { chosenUser } from '../lib/as-user.ts'
import { visible } from '../lib/format.ts'
import { at } from '../lib/router.ts'
import { consoleApi, loadedSession } from '../lib/service.ts'
import { ServiceName } from '../parts/service-name.tsx'
import type { View } from '../views/view.tsx'
import { Icon } from '../views/view.tsx'

/** The views that show the runs or keys of the chosen user. */
const OF_USER: readonly string[] = ['runs', 'access']

/** The address of a view, with the chosen user where the view shows things of a user. */
function addressOf({ path }: View): string {
  const user = chosenUser()
  return `/${path}${user !== '' && OF_USER.includes(path) ? `?user=${encodeURIComponent(user)}` : ''}`
}

/** Ends the session of this browser, also if the console only reads. The next page says how to enter again. */
async function signOut(): Promise<void> {
  await consoleApi('/sign-out', { method: 'POST' })
  location.reload()
}

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
    const box = list.current
    if (box === null) return
    const show = (): void => {
      const link = box.querySelector<HTMLElement>('[aria-current]')
      if (link === null) return
      const offset = link.getBoundingClientRect().left - box.getBoundingClientRect().left
      box.scrollLeft += offset - (box.clientWidth - link.offsetWidth) / 2
    }
    const observer = new ResizeObserver(show)
    observer.observe(box)
    return () => observer.disconnect()
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
            <a href={at(addressOf(view))} aria-current={view === current ? 'page' : undefined}>
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
            aria-label="Ctrl K: go to a view, run, card or push; copy a command"
            aria-keyshortcuts="Control+K"
          >
            <kbd>Ctrl K</kbd>
          </button>
          <button type="button" class="quiet small nav-leave" onClick={() => void signOut()}>
            Sign out
          </button>
          <button type="button" class="quiet small" onClick={onKeys} aria-label="List the keyboard shortcuts">
            <kbd>?</kbd>
          </button>
        </div>
      </div>
    </nav>
  )
}

/** The choice of the reader. */
export type Theme = 'system' | 'light' | 'dark'

const KEY = 'svc-console-theme'

/** The present choice, which the browser stores. */
const theme: Signal<Theme> = signal(read())

/** Applies the theme now and at each change. */
export function startTheme(): void {
  effect(() => {
    if (theme.value === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme.value
    // The browser may block storage. Then the choice is used for this page only.
    try {
      localStorage.setItem(KEY, theme.value)
    } catch {}
  })
}

function read(): Theme {
  try {
    const stored = localStorage.getItem(KEY)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}
