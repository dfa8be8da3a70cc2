/** Addresses of views: `/boards/demo?card=…`. The server gives the page for each of them. */
import { computed, signal } from '@preact/signals'
import { base, withoutBase } from './base.ts'

const here = (): string => (withoutBase(location.pathname) ?? '/') + location.search
const address = signal(here())

/** The parts of the path, decoded: `['boards', 'demo']`. */
export const path = computed<readonly string[]>(() =>
  address.value
    .split('?', 1)[0]!
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent),
)

/** The query of the address. */
export const query = computed<URLSearchParams>(() => new URLSearchParams(address.value.split('?')[1] ?? ''))

/** Goes to an address of the page; `replace` leaves no entry in the history. */
export function go(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (to === address.value) return
  if (replace) history.replaceState(null, '', base + to)
  else history.pushState(null, '', base + to)
  address.value = to
}

/** Sets a member of the query, or takes it away. */
export function setQuery(name: string, value: string | undefined): void {
  const next = new URLSearchParams(query.value)
  if (value === undefined) next.delete(name)
  else next.set(name, value)
  const text = next.toString()
  go(address.value.split('?', 1)[0]! + (text === '' ? '' : `?${text}`), { replace: true })
}

/** Follows the history of the browser, and clicks on links to addresses of the page. */
export function startRouter(): void {
  addEventListener('popstate', () => {
    address.value = here()
  })
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (link === null || !isPlain || link.target !== '' || link.hasAttribute('download')) return
    const to = link.origin === location.origin ? withoutBase(link.pathname) : undefined
    // A link to a place of this page is the browser's own.
    if (to === undefined || link.hash !== '') return
    event.preventDefault()
    go(to + link.search)
  })
}
