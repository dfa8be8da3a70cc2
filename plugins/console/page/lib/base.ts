/**
 * The path under which the console is, such as `/Zk3…`, without a slash at its end. It is secret, and differs in each process: the cookie
 * of the console is for this path alone. The page writes its addresses without it, such as `/boards`.
 */
import { options } from 'preact'

/** The path of this console. */
export const base: string = location.pathname.slice(0, Math.max(0, location.pathname.indexOf('/', 1)))

/** The address of a path of the browser; undefined if it is not one of this page. */
export function withoutBase(pathname: string): string | undefined {
  return pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : undefined
}

/** Completes the addresses of links, so that a link opens in another tab too. Called before anything is rendered. */
export function completeLinks(): void {
  const before = options.vnode
  options.vnode = (node) => {
    const { href } = node.props as { href?: unknown }
    if (node.type === 'a' && typeof href === 'string' && href.startsWith('/'))
      (node.props as { href?: string }).href = base + href
    before?.(node)
  }
}
