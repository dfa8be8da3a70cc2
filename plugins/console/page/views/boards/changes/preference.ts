/** Whether the reader wants to see every command before it is sent, also one that can be undone. */
import { effect, type Signal, signal } from '@preact/signals'

const KEY = 'svc-console-asks-always'

/** The choice of the reader, which the browser stores for this tab. */
export const asksAlways: Signal<boolean> = signal(read())
effect(() => {
  // The browser may block storage. Then the choice is used for this page only.
  try {
    if (asksAlways.value) sessionStorage.setItem(KEY, 'true')
    else sessionStorage.removeItem(KEY)
  } catch {}
})

function read(): boolean {
  try {
    return sessionStorage.getItem(KEY) === 'true'
  } catch {
    return false
  }
}
