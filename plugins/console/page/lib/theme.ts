/** Light or dark: as the system says, until the reader chooses. */
import { effect, type Signal, signal } from '@preact/signals'

/** What the reader chose. */
export type Theme = 'system' | 'light' | 'dark'

const KEY = 'svc-console-theme'

/** The choice, kept in the browser. */
export const theme: Signal<Theme> = signal(read())

/** Applies the choice, now and when it changes. */
export function startTheme(): void {
  effect(() => {
    if (theme.value === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme.value
    // Storage may be blocked; then the choice holds for this page.
    try {
      localStorage.setItem(KEY, theme.value)
    } catch {}
  })
}

function read(): Theme {
  try {
    const kept = localStorage.getItem(KEY)
    return kept === 'light' || kept === 'dark' ? kept : 'system'
  } catch {
    return 'system'
  }
}
