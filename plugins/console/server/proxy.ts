/** Passes requests of the page on to a surface of the service, and its answers back, streams included. */
import type {
  ClientRequest,
  IncomingHttpHeaders,
  IncomingMessage,
  OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http'
import { pipeline } from 'node:stream'
import { consoleFail } from '../errors.ts'
import { readBody } from './body.ts'
import { isRead } from './checks.ts'
import type { Credential } from './credential.ts'

/** A surface that requests are passed on to. */
export interface Upstream {
  /** Begins a request. Rejects, or the request fails, if the service does not answer. */
  open(request: {
    readonly method: string
    readonly path: string
    readonly headers: OutgoingHttpHeaders
    readonly signal: AbortSignal
  }): Promise<ClientRequest>
  readonly credential: Credential | undefined
  /** Where it is, for the message that nobody answers. */
  readonly place: () => string
}

/** Headers of the page's requests that are meant for the service. No other is passed on. */
const REQUEST_HEADERS = [
  'accept',
  'cache-control',
  'content-type',
  'if-match',
  'if-none-match',
  'last-event-id',
  'traceparent',
  'tracestate',
  'x-request-id',
]
/** Headers of the service's answers that are meant for the page: no cookie, no redirect and no policy is passed back. */
const ANSWER_HEADERS = [
  'allow',
  'cache-control',
  'content-length',
  'deprecation',
  'etag',
  'last-modified',
  'link',
  'retry-after',
  'sunset',
  'traceparent',
  'x-request-id',
]
/** Types that a browser runs nothing of. Any other is passed back as bytes. */
const DATA_TYPE =
  /^(?:text\/(?:plain|event-stream)|application\/(?:json|x-ndjson|octet-stream|openmetrics-text|[\w.+-]+\+json))(?:\s*;|$)/i

/** Passes one request on. Throws `service_away` if the service does not answer. */
export async function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  upstream: Upstream,
): Promise<void> {
  const aborted = new AbortController()
  response.once('close', () => aborted.abort())
  const body = isRead(request) ? undefined : await readBody(request)
  const credential = request.headers['x-console-anonymous'] === '1' ? undefined : upstream.credential
  const ask = (fields: Readonly<Record<string, string>>): Promise<IncomingMessage> =>
    answerOf(upstream, aborted.signal, body, {
      method: request.method!,
      path,
      headers: { ...toService(request.headers), ...fields, ...(body && { 'content-length': body.length }) },
    })
  const fields = (await credential?.fields()) ?? {}
  let answer = await ask(fields)
  if (answer.statusCode === 401 && credential !== undefined) {
    const next = await credential.renewed(fields)
    if (next !== undefined) {
      answer.destroy()
      answer = await ask(next)
    }
  }
  response.writeHead(answer.statusCode!, toPage(answer.headers))
  // The first bytes of a stream may be long in coming; its headers say that it is there.
  response.flushHeaders()
  // Ends both sides when either ends; the page sees a stream that broke off as one that broke off.
  pipeline(answer, response, () => undefined)
}

/** The status with which a surface answers a GET; undefined if it does not answer. */
export async function statusOf(upstream: Upstream, path: string): Promise<number | undefined> {
  const done = new AbortController()
  try {
    const headers = (await upstream.credential?.fields()) ?? {}
    const answer = await answerOf(upstream, done.signal, undefined, { method: 'GET', path, headers })
    answer.once('error', () => undefined)
    return answer.statusCode
  } catch {
    return undefined
  } finally {
    // The answer may be a stream without an end.
    done.abort()
  }
}

async function answerOf(
  { open, place }: Upstream,
  signal: AbortSignal,
  body: Buffer | undefined,
  wanted: { readonly method: string; readonly path: string; readonly headers: OutgoingHttpHeaders },
): Promise<IncomingMessage> {
  try {
    const outgoing = await open({ ...wanted, signal })
    return await new Promise((resolve, reject) => {
      outgoing.once('response', resolve).once('error', reject)
      outgoing.end(body)
    })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw consoleFail('service_away', { message: `No service answers at ${place()} (${code ?? message}).` })
  }
}

function toService(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return pick(headers, REQUEST_HEADERS)
}

function toPage(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const type = headers['content-type']
  return {
    ...pick(headers, ANSWER_HEADERS),
    ...(type !== undefined && { 'content-type': DATA_TYPE.test(type) ? type : 'application/octet-stream' }),
  }
}

function pick(headers: IncomingHttpHeaders, names: readonly string[]): OutgoingHttpHeaders {
  return Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])))
}
