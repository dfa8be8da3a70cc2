/** Who is let in: a code that works once, and the cookie that it is exchanged for. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { consoleFail } from '../errors.ts'
import { sendPage } from './answers.ts'

/** Lengths in bytes. */
const CODE_BYTES = 16
const COOKIE_BYTES = 32
const FOLDER_BYTES = 16

/** The entry of one console. */
export interface Entry {
  /**
   * The path under which everything is, with a slash at both ends. It is secret: browsers send cookies to every port of a host, so that a
   * cookie for `/` would reach the servers of other users of this machine. A cookie for a path that they do not know does not.
   */
  readonly folder: string
  /** A fresh address. The one before does not work any more. */
  address(): string
  /** Answers a request with a code. Throws `code_used` for a code that does not work. */
  enter(request: IncomingMessage, response: ServerResponse, query: string): void
  /** Throws `session_missing` for a request without the cookie. */
  check(request: IncomingMessage): void
}

/** Makes the entry of the server at a port. `entered` is called when a code has been used. */
export function createEntry(port: number, entered: () => void): Entry {
  const cookie = randomBytes(COOKIE_BYTES).toString('base64url')
  const name = `svc-console-${port}`
  const folder = `/${randomBytes(FOLDER_BYTES).toString('base64url')}/`
  let code: string | undefined
  return {
    folder,
    address() {
      code = randomBytes(CODE_BYTES).toString('base64url')
      return `http://127.0.0.1:${port}/enter?code=${code}`
    },
    enter(request, response, query) {
      const given = new URLSearchParams(query).get('code') ?? ''
      if (code === undefined || !isSame(given, code)) throw consoleFail('code_used')
      // A HEAD comes from what looks at links, not from a person.
      if (request.method === 'GET') {
        code = undefined
        entered()
        response.setHeader('set-cookie', `${name}=${cookie}; HttpOnly; SameSite=Strict; Path=${folder}`)
      }
      // Of a navigation that began elsewhere, browsers send no strict cookie to what it is redirected to: it begins anew here.
      const cameFromElsewhere = request.headers['sec-fetch-site'] === 'cross-site'
      if (cameFromElsewhere)
        sendPage(response, 200, '<p>Opening…</p>', `\n<meta http-equiv="refresh" content="0;url=${folder}">`)
      else response.writeHead(303, { location: folder, 'content-length': 0 }).end()
    },
    check(request) {
      const given = (request.headers.cookie ?? '')
        .split(';')
        .map((one) => one.trim())
        .flatMap((one) => (one.startsWith(`${name}=`) ? one.slice(name.length + 1) : []))
      // Another server of this host may have set one of the same name, which must not lock the person out.
      if (given.some((one) => isSame(one, cookie))) return
      throw consoleFail('session_missing')
    },
  }
}

/** Compares in a time that says nothing of where texts differ. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
