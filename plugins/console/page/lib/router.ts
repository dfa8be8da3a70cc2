/** Addresses of views: `/boards/demo?card=…`. The server gives the page for each of them. */
import { computed, type ReadonlySignal, signal } from '@preact/signals'

/**
 * The secret folder that all addresses of this console are below, `/<folder>`. A cookie alone would reach the servers of other
 * users on this machine, because browsers send it to every port of a host.
 */
export const base: string = location.pathname.slice(0, location.pathname.indexOf('/', 1))

const address = signal(ownAddress())

function ownAddress(): string {
  return location.pathname.slice(base.length) + location.search
}

/** The address of a page's path for a link: `<a href={at('/boards')}>`. */
export function at(to: string): string {
  return base + to
}

/** The parts of the path, decoded: `['boards', 'demo']`. */
export const path: ReadonlySignal<readonly string[]> = computed(() =>
  pathOf(address.value)
    .split('/')
    .filter((part) => part !== '')
    .map(decoded),
)

/** An address without its query. */
function pathOf(whole: string): string {
  return whole.replace(/\?.*/s, '')
}

/** A part of a path; as it is, if it is not well encoded. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The query of the address. */
export const query: ReadonlySignal<URLSearchParams> = computed(
  () => new URLSearchParams(address.value.split('?')[1] ?? ''),
)

/** Goes to an address of the page, such as `/boards`; `replace` leaves no entry in the history. */
export function go(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (to === address.value) return
  if (replace) history.replaceState(null, '', at(to))
  else history.pushState(null, '', at(to))
  address.value = to
}

/** Sets a member of the query, or takes it away. */
export function setQuery(name: string, value: string | undefined): void {
  const next = new URLSearchParams(query.value)
  if (value === undefined) next.delete(name)
  else next.set(name, value)
  const text = next.toString()
  go(pathOf(address.value) + (text === '' ? '' : `?${text}`), { replace: true })
}

/** Follows the history of the browser, and clicks on links to addresses of the page. */
export function startRouter(): void {
  addEventListener('popstate', () => {
    address.value = ownAddress()
  })
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (link === null || !isPlain || link.target !== '' || link.hasAttribute('download')) return
    // A link within the view, such as the one that skips the navigation, is the browser's.
    if (link.hash !== '' || event.defaultPrevented) return
    if (link.origin !== location.origin || !link.pathname.startsWith(`${base}/`)) return
    event.preventDefault()
    go(link.pathname.slice(base.length) + link.search)
  })
}
