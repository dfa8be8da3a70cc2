/** The checks of every request, before its route runs. */
import type { IncomingMessage } from 'node:http'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import { consoleFail } from '../errors.ts'

/** Methods that change nothing. */
const READS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD'])
/** Methods that are passed on with `--write`. */
const WRITES: ReadonlySet<string | undefined> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Whether a request changes nothing. */
export function isRead({ method }: IncomingMessage): boolean {
  return READS.has(method)
}

/**
 * Checks that a request was sent to this server and by its own page. A foreign host name that resolves to this address
 * (DNS rebinding) has a different `Host`; a foreign page has a different `Origin`. With `canBeOpened` a navigation may
 * come from another site.
 */
export function checkSender(request: IncomingMessage, port: number, canBeOpened: boolean): void {
  const { host = [], origin = [], 'sec-fetch-site': sites = [] } = request.headersDistinct
  const address = `127.0.0.1:${port}`
  if (host.length !== 1 || host[0] !== address)
    throw consoleFail('wrong_host', { message: `This server answers requests for ${address} only.` })
  const isForeign = origin.some((value) => value !== `http://${address}`) || origin.length > 1
  if (isForeign || (origin.length === 0 && !isRead(request))) throw consoleFail('foreign_origin')
  // The header is absent in clients that are not browsers, and in old browsers.
  const site = sites[0]
  const allowed = ['same-origin', ...(isRead(request) ? ['none'] : [])]
  if (site === undefined || allowed.includes(site) || (canBeOpened && isOpening(request))) return
  throw consoleFail('foreign_origin')
}

/** Whether a browser opens the address as a document, for instance from the file that `--open` writes. */
function isOpening({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
}

/** Checks that the console allows the method. Throws `read_only` for a write without `--write`. */
export function checkMethod(request: IncomingMessage, isWritable: boolean): void {
  if (isRead(request)) return
  if (!isWritable) throw consoleFail('read_only')
  if (!WRITES.has(request.method)) throw httpFail('method_not_allowed')
}

/** A request target, split into path and query. */
export interface Target {
  readonly path: string
  /** Includes the question mark; empty if there is no query. */
  readonly query: string
}

/**
 * Visible ASCII characters except `#`, which starts a fragment, and the backslash, which some parsers treat as a slash.
 */
const ORIGIN_FORM = /^\/[!-"$-[\]-~]*$/

/**
 * The target of a request in origin form. Throws `path_invalid` if another parser could read a different path or host.
 */
export function targetOf({ url = '' }: IncomingMessage): Target {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  const segments = path
    .replace(/%2f|%5c/gi, '/')
    .replace(/%2e/gi, '.')
    .split('/')
  // The first segment is empty, because it is before the first slash. The last one is empty after a trailing slash.
  const isEmpty = segments.slice(1, -1).includes('')
  if (!ORIGIN_FORM.test(url) || isEmpty || segments.some((segment) => segment === '.' || segment === '..'))
    throw consoleFail('path_invalid')
  return { path, query: mark < 0 ? '' : url.slice(mark) }
}
