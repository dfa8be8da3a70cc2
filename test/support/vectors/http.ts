/** Requests of HTTP/1.1 (RFC 9112) as bytes: valid ones, invalid ones, and such that hide a second request. */
import { collected } from './collections.ts'

/** The bytes of a connection, and what a server does with them. */
export interface HttpCase {
  readonly name: string
  readonly input_b64: string
  /** `ignore-rest`: at most one answer. `either`: no verdict beyond the number of answers. */
  readonly expect: 'accept' | 'reject' | 'either' | 'ignore-rest'
  /** Most answers below 400, where the bytes hide a second request. */
  readonly max_responses?: number
  /** The body of the first request that the handler gets. */
  readonly body_b64?: string
}

/** All requests. */
export function httpCases(): readonly HttpCase[] {
  const own = [
    ...accepted.map(([text, body]) => toCase(text, { expect: 'accept', body_b64: toBase64(body ?? '') })),
    ...refused.map((text) => toCase(text, { expect: 'reject', max_responses: 0 })),
    ...hiding.map((text) => toCase(text, { expect: 'either', max_responses: 1 })),
  ]
  return [...own, ...fromCollection('rfc9112_authored'), ...fromCollection('llhttp_requests')]
}

const toBase64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64')

const toCase = (text: string, verdict: Omit<HttpCase, 'name' | 'input_b64'>): HttpCase => ({
  ...{ name: JSON.stringify(text), input_b64: toBase64(text) },
  ...verdict,
})

/** A case may have two verdicts. The verdict for a complete server is the stricter one. */
function fromCollection(file: string): readonly HttpCase[] {
  const rows = collected<HttpCase & { readonly server_expect?: HttpCase['expect'] }>(`http11/${file}.json`)
  return rows.map(({ server_expect, ...row }) => ({ ...row, expect: server_expect ?? row.expect }))
}

const get = (fields: string, rest = ''): string => `GET /p HTTP/1.1\r\nHost: a\r\n${fields}\r\n${rest}`
const post = (fields: string, rest = ''): string => `POST /p HTTP/1.1\r\nHost: a\r\n${fields}\r\n${rest}`
const chunked = (body: string): string => post('Transfer-Encoding: chunked\r\n', body)
const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n'

const accepted: readonly (readonly [string, string?])[] = [
  [get('')],
  ['GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['GET / HTTP/1.1\r\nHost: a:8080\r\n\r\n'],
  ['GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n'],
  ['GET /p?q=%20&a=b?c=/ HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['GET / HTTP/1.1\r\nhOST: a\r\n\r\n'],
  ['GET / HTTP/1.1\r\nHost:a\r\n\r\n'],
  ['GET / HTTP/1.1\r\nHost: \t a \t \r\n\r\n'],
  ['GET / HTTP/1.1\r\nX: y\r\nHost: a\r\n\r\n'],
  [get("X-a!#$%&'*+.^_`|~9: y\r\n")],
  [get('X:\r\n')],
  [get('X: a\r\nX: b\r\n')],
  [get('X: "a, b" (c) \\\r\n')],
  [get('Connection: close\r\n')],
  [get('Connection: keep-alive, x\r\n')],
  [get('Content-Length: 0\r\n')],
  [post('Content-Length: 0\r\n')],
  [post('Content-Length: 3\r\n', 'abc'), 'abc'],
  [post('Content-Length: 003\r\n', 'abc'), 'abc'],
  [post('Content-Length: 4\r\n', '\r\n\r\n'), '\r\n\r\n'],
  [post('content-length:3\r\n', '\0\xff\n'), '\0\xff\n'],
  [chunked('0\r\n\r\n')],
  [chunked('3\r\nabc\r\n0\r\n\r\n'), 'abc'],
  [chunked('1\r\na\r\n2\r\nbc\r\n0\r\n\r\n'), 'abc'],
  [chunked('00000000A\r\n0123456789\r\n000\r\n\r\n'), '0123456789'],
  [chunked('a\r\n0123456789\r\n0\r\n\r\n'), '0123456789'],
  [chunked('3;name=value\r\nabc\r\n0\r\n\r\n'), 'abc'],
  [chunked('3;name="quoted ; value"\r\nabc\r\n0;last\r\n\r\n'), 'abc'],
  [chunked('3\r\nabc\r\n0\r\nTrailer: x\r\n\r\n'), 'abc'],
  [post('Transfer-Encoding: CHUNKED\r\n', '1\r\na\r\n0\r\n\r\n'), 'a'],
]

const refused: readonly string[] = [
  // The request line.
  ' GET / HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET / HTTP/1.1 \r\nHost: a\r\n\r\n',
  'GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET / x HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET / HTTP/1\r\nHost: a\r\n\r\n',
  'GET / HTTP/1.\r\nHost: a\r\n\r\n',
  'GET / HTTP/11\r\nHost: a\r\n\r\n',
  'GET / HTTP/01.1\r\nHost: a\r\n\r\n',
  'GET / HTTP/2.0\r\nHost: a\r\n\r\n',
  'GET / HTTP/9.9\r\nHost: a\r\n\r\n',
  'GET / http/1.1\r\nHost: a\r\n\r\n',
  'GET / HTTPS/1.1\r\nHost: a\r\n\r\n',
  'GET / ICY\r\nHost: a\r\n\r\n',
  'get / HTTP/1.1\r\nHost: a\r\n\r\n',
  'G\0T / HTTP/1.1\r\nHost: a\r\n\r\n',
  'GE(T / HTTP/1.1\r\nHost: a\r\n\r\n',
  'NOSUCHMETHOD / HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET p HTTP/1.1\r\nHost: a\r\n\r\n',
  '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03\r\n\r\n',
  // Host.
  'GET / HTTP/1.1\r\n\r\n',
  'GET / HTTP/1.1\r\nX: y\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a b\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a, b\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a/b\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: u@a\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a:b\r\n\r\n',
  // Fields.
  get('X : y\r\n'),
  get(' X: y\r\n'),
  get('X\r\n'),
  get('X\t: y\r\n'),
  get('X(: y\r\n'),
  get('X\0: y\r\n'),
  get('X: a\0b\r\n'),
  get('X: a\rb\r\n'),
  get('X: a\r\n folded\r\n'),
  get('X: a\r\n\tfolded\r\n'),
  'GET / HTTP/1.1\r\n Host: a\r\n\r\n',
  // Content-Length.
  post('Content-Length: -1\r\n', 'a'),
  post('Content-Length: +1\r\n', 'a'),
  post('Content-Length: 1.0\r\n', 'a'),
  post('Content-Length: 0x1\r\n', 'a'),
  post('Content-Length: 1 1\r\n', 'a'),
  post('Content-Length: a\r\n', 'a'),
  post('Content-Length: 1, 2\r\n', 'ab'),
  post('Content-Length: 1\r\nContent-Length: 2\r\n', 'ab'),
  post('Content-Length: 99999999999999999999999999\r\n', 'a'),
  post('Content-Length : 1\r\n', 'a'),
  // Transfer-Encoding and chunks.
  post('Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', '0\r\n\r\n'),
  post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
  post('Transfer-Encoding: chunked, gzip\r\n', '0\r\n\r\n'),
  post('Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'),
  post('Transfer-Encoding: "chunked"\r\n', '0\r\n\r\n'),
  post('Transfer-Encoding : chunked\r\n', '0\r\n\r\n'),
  post('Transfer-Encoding:\x0bchunked\r\n', '0\r\n\r\n'),
  chunked('g\r\nabc\r\n0\r\n\r\n'),
  chunked('0x3\r\nabc\r\n0\r\n\r\n'),
  chunked('-3\r\nabc\r\n0\r\n\r\n'),
  chunked('\r\nabc\r\n0\r\n\r\n'),
  chunked('3\r\nabcd\r\n0\r\n\r\n'),
  chunked('3\r\nab\r\n0\r\n\r\n'),
  chunked('fffffffffffffffff\r\nabc\r\n0\r\n\r\n'),
]

/** Requests that servers read in two ways: most have bytes that one server takes for a body, another for a request. */
const hiding: readonly string[] = [
  // A server may separate the parts of the request line by any blanks (RFC 9112 section 3).
  'GET  / HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /  HTTP/1.1\r\nHost: a\r\n\r\n',
  post('Content-Length: 6\r\nContent-Length: 5\r\n', `a=1\r\n\r\n${smuggled}`),
  post('Content-Length: 0\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${smuggled}`),
  post('Transfer-Encoding: chunked\r\nContent-Length: 100\r\n', `0\r\n\r\n${smuggled}`),
  post(`Content-Length: ${smuggled.length}\r\n`, smuggled),
  post('Transfer-Encoding: x\r\n', `0\r\n\r\n${smuggled}`),
  post('Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n', `0\r\n\r\n${smuggled}`),
  post('Transfer-Encoding\x0b: chunked\r\n', `0\r\n\r\n${smuggled}`),
  chunked(`${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`),
  chunked(`0\r\nX: y\r\n\r${smuggled}`),
  chunked(`1;\n${smuggled}\r\n0\r\n\r\n`),
  get('X: y\rGET /smuggled HTTP/1.1\r\n'),
  get('X: y\0\r\n', smuggled),
]
