/** The theme of the page: light or dark, by default that of the system. */
import { effect, type Signal, signal } from '@preact/signals'

/** The choice of the reader. */
export type Theme = 'system' | 'light' | 'dark'

const KEY = 'svc-console-theme'

/** The present choice, which the browser stores. */
export const theme: Signal<Theme> = signal(read())

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
