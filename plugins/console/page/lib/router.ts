/** The addresses of views, such as `/boards/demo?card=…`. The server answers each of these addresses with the page. */
import { computed, type ReadonlySignal, signal } from '@preact/signals'

/**
 * The secret folder of this console, `/<folder>`, which is the prefix of all its addresses. The cookie is for this
 * folder only, because browsers send a cookie to every port of a host, and so to servers of other users on this
 * machine.
 */
export const base: string = location.pathname.slice(0, location.pathname.indexOf('/', 1))

const address = signal(ownAddress())

function ownAddress(): string {
  return location.pathname.slice(base.length) + location.search
}

/** The path of a view with the secret folder, for a link: `<a href={at('/boards')}>`. */
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
function pathOf(fullAddress: string): string {
  return fullAddress.replace(/\?.*/s, '')
}

/** A decoded part of a path, or the part itself if its encoding is invalid. */
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

/** Goes to an address of the page, such as `/boards`. `replace` adds no entry to the history of the browser. */
export function go(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (to === address.value) return
  if (replace) history.replaceState(null, '', at(to))
  else history.pushState(null, '', at(to))
  address.value = to
}

/** Sets a member of the query, or removes it if the value is undefined. */
export function setQuery(name: string, value: string | undefined): void {
  const next = new URLSearchParams(query.value)
  if (value === undefined) next.delete(name)
  else next.set(name, value)
  const text = next.toString()
  go(pathOf(address.value) + (text === '' ? '' : `?${text}`), { replace: true })
}

/** A choice of the reader that is in the address, such as a filter: the empty text if the address does not have it. */
export function choiceOf(name: string): readonly [value: string, choose: (value: string) => void] {
  return [query.value.get(name) ?? '', (value) => setQuery(name, value === '' ? undefined : value)]
}

/**
 * An address with the query of the present address, so that the choices of the reader stay, except for some of them.
 */
export function keepingQuery(to: string, except: readonly string[] = []): string {
  const parameters = new URLSearchParams(query.value)
  for (const name of except) parameters.delete(name)
  const text = parameters.toString()
  return text === '' ? to : `${to}?${text}`
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
    // The browser follows links within the view, such as the link that skips the navigation.
    if (link.hash !== '' || event.defaultPrevented) return
    if (link.origin !== location.origin || !link.pathname.startsWith(`${base}/`)) return
    event.preventDefault()
    go(link.pathname.slice(base.length) + link.search)
  })
}
