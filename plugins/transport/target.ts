/** Request targets and the Host field (RFC 9112 section 3.2). */

/** A target, split at its query. */
export interface Target {
  readonly path: string
  readonly query: string
}

/**
 * The path and query of a request target, as received. The authority of an absolute-form target (`http://host/path`) is
 * dropped, because this server answers under every name.
 */
export function toTarget(target: string): Target {
  if (target !== lastText) {
    lastTarget = cut(target)
    lastText = target
  }
  return lastTarget
}

/**
 * The last target. Most clients request the same one again and again, and an identical text is found without reading
 * it.
 */
let lastText = '/'
let lastTarget: Target = { path: '/', query: '' }

function cut(target: string): Target {
  const local = target.charCodeAt(0) === SLASH ? target : target.replace(absolute, '')
  const mark = local.indexOf('?')
  if (mark < 0) return { path: local === '' ? '/' : local, query: '' }
  return { path: mark === 0 ? '/' : local.slice(0, mark), query: local.slice(mark + 1) }
}

/** The authority of an absolute-form target; undefined for a target of another form. */
export function authorityOf(target: string): string | undefined {
  return target.charCodeAt(0) === SLASH ? undefined : absolute.exec(target)?.[1]
}

/**
 * Whether the value of a Host field is valid: a name, an IPv4 address or a bracketed IPv6 address, and an optional
 * port.
 */
export function isHost(value: string): boolean {
  return host.test(value)
}

const SLASH = 47
const absolute = /^https?:\/\/([^/?#]*)/i

// RFC 3986 section 3.2.2: reg-name with whole percent triplets; an empty name is legal. No userinfo.
const host =
  /^(?:(?:[A-Za-z0-9\-._~!$&'()*+;=]|%[0-9A-Fa-f]{2})*|\[[0-9A-Fa-f:.]+\]|\[v[0-9A-Fa-f]+\.[\w\-.~!$&'()*+,;=:]+\])(?::\d{0,5})?$/
