/**
 * Reads the head of a request, and checks what uWebSockets.js lets pass. It parses leniently: bytes behind a message
 * with an odd framing would be served as another request, which behind a proxy is request smuggling (RFC 9112 section
 * 11.2).
 */
import { METHODS } from 'node:http'
import type { SvcError } from '../../../core/declare/errors.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import { transportFail } from '../errors.ts'
import { isHost } from '../target.ts'
import type { UwsRequestHead } from './addon.ts'

/**
 * A header field, its name in lower case, and the one behind it: most heads have few, and a list would have room for
 * many.
 */
export interface Field {
  readonly name: string
  readonly value: string
  next: Field | undefined
}

/** The head of a request. */
export interface Head {
  method: string
  path: string
  query: string
  fields: Field | undefined
  /** Announced size of the body in bytes. */
  announced: number
  /** Whether the connection is closed after the answer. */
  last: boolean
  /** Whether the client asked for that, and closes the connection where the library does not. */
  asked: boolean
  /** Whether the client waits for a 100 that the library does not send: it knows one spelling of the expectation. */
  waits: boolean
}

/**
 * Reads a head into `head`, or gives the refusal of the request. All fields are looked at: by its names a head could
 * hide a second Host, or a Transfer-Encoding behind an empty one.
 */
export function readHead(req: UwsRequestHead, method: string, head: Head): SvcError | undefined {
  fields = lastField = undefined
  host = length = connection = undefined
  coded = repeated = expecting = waiting = false
  req.forEach(visit)
  head.fields = fields
  head.method = method
  head.path = req.getUrl()
  head.query = req.getQuery() ?? ''
  head.announced = 0
  head.last = head.asked = connection !== undefined && closing.test(connection)
  head.waits = waiting

  if (method !== 'GET' && !methods.has(method)) return malformed('The method is not one of HTTP.')
  if (repeated) return malformed('Host and Content-Length may stand there once.')
  if (coded) return httpFail('length_required')
  if (expecting) return transportFail('expectation_failed')
  if (host === undefined) return malformed('The Host header is missing.')
  if (host !== knownHost) {
    if (!isHost(host)) return malformed('The Host header is not valid.')
    knownHost = host
  }
  if (head.path !== knownPath) {
    if (!plain.test(head.path)) return malformed('The request target is not valid.')
    knownPath = head.path
  } else head.path = knownPath
  if (head.query !== '' && !plain.test(head.query)) return malformed('The request target is not valid.')
  if (length !== undefined) {
    if (!digits.test(length)) return malformed('The Content-Length header is not a number.')
    head.announced = Number(length)
  } else if (withBody.has(method)) {
    // The library hides all fields behind one with an empty name: the length of a body could be among them.
    head.last = true
  }
  return undefined
}

// One request is read at a time and to its end, so what `visit` finds needs no object of its own.
let fields: Field | undefined
let lastField: Field | undefined
let host: string | undefined
let length: string | undefined
let connection: string | undefined
let coded = false
let repeated = false
let expecting = false
let waiting = false

/**
 * The valid parts of the last request: most clients send the same again and again. An equal path is replaced by the
 * identical text, which maps find without reading it.
 */
let knownHost = ''
let knownPath = '/'

function visit(name: string, value: string): void {
  const field: Field = { name, value, next: undefined }
  if (lastField === undefined) fields = field
  else lastField.next = field
  lastField = field
  switch (name.length) {
    case 4:
      if (name === 'host') {
        if (host !== undefined) repeated = true
        host = value
      }
      break
    case 6:
      if (name === 'expect' && value !== '100-continue') {
        if (value.toLowerCase() === '100-continue') waiting = true
        else expecting = true
      }
      break
    case 10:
      if (name === 'connection') connection = connection === undefined ? value : `${connection},${value}`
      break
    case 14:
      if (name === 'content-length') {
        if (length !== undefined) repeated = true
        length = value
      }
      break
    case 17:
      if (name === 'transfer-encoding') coded = true
      break
  }
}

function malformed(message: string): SvcError {
  return httpFail('malformed_request', { message })
}

const methods: ReadonlySet<string> = new Set(METHODS)
const withBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])
const closing = /(?:^|,)\s*close\s*(?:,|$)/i
const plain = /^[\x21-\x7e]*$/
// Fifteen digits are safe as a number and far more than anyone sends.
const digits = /^\d{1,15}$/
