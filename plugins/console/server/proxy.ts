/**
 * Passes requests of the page on to a surface of the service, and the answers and streams of the service back to the
 * page.
 */
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
  /** Starts a request. If the service does not answer, either `open` rejects or the request fails. */
  open(request: {
    readonly method: string
    readonly path: string
    readonly headers: OutgoingHttpHeaders
    readonly signal: AbortSignal
  }): Promise<ClientRequest>
  readonly credential: Credential | undefined
  /** The message of `service_away`, from the error of a request. */
  readonly noAnswer: (error: unknown) => string
}

/** Headers of the page's requests that are passed on to the service. All other headers are dropped. */
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
/** Headers of the service's answers that are passed back to the page. Cookies, redirects and policies are dropped. */
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
/** Media types in which a browser runs no script. Any other type is passed back as `application/octet-stream`. */
const DATA_TYPE =
  /^(?:text\/(?:plain|event-stream)|application\/(?:json|x-ndjson|octet-stream|openmetrics-text|[\w.+-]+\+json))(?:\s*;|$)/i

/** On each request that only reads. The service does not count such a request of a console as traffic of its users. */
const OBSERVER = { 'svc-observer': '1' }

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
  const sendWith = (fields: Readonly<Record<string, string>>): Promise<IncomingMessage> =>
    answerOf(upstream, aborted.signal, body, {
      method: request.method!,
      path,
      headers: {
        ...toService(request.headers),
        ...(body === undefined && OBSERVER),
        ...fields,
        ...(body && { 'content-length': body.length }),
      },
    })
  const fields = (await credential?.fields()) ?? {}
  let answer = await sendWith(fields)
  if (answer.statusCode === 401 && credential !== undefined) {
    const next = await credential.renewed(fields)
    if (next !== undefined) {
      answer.destroy()
      answer = await sendWith(next)
    }
  }
  response.writeHead(answer.statusCode!, toPage(answer.headers))
  // Send the headers now, because the first bytes of a stream may come much later.
  response.flushHeaders()
  // Ends both sides when either side ends. If the service breaks off a stream, the connection to the page breaks off,
  // too.
  pipeline(answer, response, () => undefined)
}

/** The status with which a surface answers a GET request. Returns undefined if the surface does not answer. */
export async function statusOf(upstream: Upstream, path: string): Promise<number | undefined> {
  const done = new AbortController()
  try {
    const headers = { ...OBSERVER, ...(await upstream.credential?.fields()) }
    const answer = await answerOf(upstream, done.signal, undefined, { method: 'GET', path, headers })
    answer.once('error', () => undefined)
    return answer.statusCode
  } catch {
    return undefined
  } finally {
    // The answer may be an endless stream.
    done.abort()
  }
}

/** Longest time and most bytes of an answer that the console itself reads. */
const READ_MS = 3_000
const READ_BYTES = 4 * 1_024 * 1_024

/** The body of the answer to a GET request; undefined if the surface does not answer it with status 200 in time. */
export async function textFrom(upstream: Upstream, path: string): Promise<string | undefined> {
  const done = new AbortController()
  const signal = AbortSignal.any([done.signal, AbortSignal.timeout(READ_MS)])
  try {
    const headers = { ...OBSERVER, ...(await upstream.credential?.fields()) }
    const answer = await answerOf(upstream, signal, undefined, { method: 'GET', path, headers })
    if (answer.statusCode !== 200) return undefined
    let text = ''
    for await (const chunk of answer.setEncoding('utf8')) {
      text += chunk as string
      if (text.length > READ_BYTES) return undefined
    }
    return text
  } catch {
    return undefined
  } finally {
    done.abort()
  }
}

async function answerOf(
  { open, noAnswer }: Upstream,
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
    throw consoleFail('service_away', { message: noAnswer(error) })
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
