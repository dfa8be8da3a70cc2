/** Checks of every request, before anything is done for it. */
import type { IncomingMessage } from 'node:http'
import { httpFail } from '../../../core/catalogue.ts'
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
 * Checks that a request was sent to this server and by its own page. A name that a stranger points to this address (DNS rebinding) is
 * another `Host`; a page of a stranger is another `Origin`. `canBeOpened` is for the address that a person opens from elsewhere.
 */
export function checkSender(request: IncomingMessage, port: number, canBeOpened: boolean): void {
  const { host = [], origin = [], 'sec-fetch-site': sites = [] } = request.headersDistinct
  const own = `127.0.0.1:${port}`
  if (host.length !== 1 || host[0] !== own)
    throw consoleFail('wrong_host', { message: `This server answers at ${own} and under no other name.` })
  const isForeign = origin.some((one) => one !== `http://${own}`) || origin.length > 1
  if (isForeign || (origin.length === 0 && !isRead(request))) throw consoleFail('foreign_origin')
  // Absent in a client that is no browser, and in browsers that do not have it yet.
  const site = sites[0]
  const allowed = ['same-origin', ...(isRead(request) ? ['none'] : [])]
  if (site === undefined || allowed.includes(site) || (canBeOpened && isOpening(request))) return
  throw consoleFail('foreign_origin')
}

/** Whether a person opens the address, such as from the file that `--open` makes. */
function isOpening({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
}

/** Checks that a request may change something, if it would. */
export function checkMethod(request: IncomingMessage, isWritable: boolean): void {
  if (isRead(request)) return
  if (!isWritable) throw consoleFail('read_only')
  if (!WRITES.has(request.method)) throw httpFail('method_not_allowed')
}

/** A request target, cut at its query. */
export interface Target {
  readonly path: string
  /** With its question mark; empty where there is none. */
  readonly query: string
}

/** Visible characters of ASCII without the fragment and the backslash, which some take for a slash. */
const ORIGIN_FORM = /^\/[!-"$-[\]-~]*$/

/** The target of a request in origin form. Refuses what another reader could take for another path, or another host. */
export function targetOf({ url = '' }: IncomingMessage): Target {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  const segments = path
    .replace(/%2f|%5c/gi, '/')
    .replace(/%2e/gi, '.')
    .split('/')
  // The first one is before the slash at the beginning, the last one may be behind a slash at the end.
  const isEmpty = segments.slice(1, -1).includes('')
  if (!ORIGIN_FORM.test(url) || isEmpty || segments.some((one) => one === '.' || one === '..'))
    throw consoleFail('path_invalid')
  return { path, query: mark < 0 ? '' : url.slice(mark) }
}
