/** The access control of the console: a code that works once, which is exchanged for a cookie. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { consoleFail } from '../errors.ts'
import { sendPage } from './answers.ts'

/** Lengths in bytes. */
const CODE_BYTES = 16
const COOKIE_BYTES = 32
const FOLDER_BYTES = 16
const INSTANCE_BYTES = 16

/** A browser that has entered. */
export interface Browser {
  /** Notes a response, so that it ends when the browser signs out. */
  follows(response: ServerResponse): void
  /** Signs out: the cookie is worthless from now on, and open responses to this browser end. */
  leave(response: ServerResponse): void
}

/** The entry of one console. */
export interface ConsoleEntry {
  /**
   * The secret path prefix of all routes, with a slash at both ends. Browsers send cookies to every port of a host, so
   * that a cookie for `/` would reach the servers of other users of this machine. A cookie for a path that they do not
   * know does not reach them.
   */
  readonly folder: string
  /**
   * The id of this console, which is in its page and in every answer to a request with the cookie. No request contains
   * it.
   */
  readonly instance: string
  /** Returns a new address. The previous address becomes invalid. */
  address(): string
  /** Answers a request with a code. Throws `code_used` for an invalid code. */
  enter(request: IncomingMessage, response: ServerResponse, query: string): void
  /** The browser of a request. Throws `session_missing` for a request without a cookie. */
  check(request: IncomingMessage): Browser
}

/** Creates the entry of the server at a port. `entered` is called when a code has been used. */
export function createEntry(port: number, entered: () => void): ConsoleEntry {
  // One cookie a browser, so that each browser signs out alone.
  const browsers = new Map<string, Set<ServerResponse>>()
  const name = `svc-console-${port}`
  const folder = `/${randomBytes(FOLDER_BYTES).toString('base64url')}/`
  let code: string | undefined
  return {
    folder,
    instance: randomBytes(INSTANCE_BYTES).toString('base64url'),
    address() {
      code = randomBytes(CODE_BYTES).toString('base64url')
      return `http://127.0.0.1:${port}/enter?code=${code}`
    },
    enter(request, response, query) {
      const queryCode = new URLSearchParams(query).get('code') ?? ''
      if (code === undefined || !isSame(queryCode, code)) throw consoleFail('code_used')
      // A HEAD request is from a program that checks links, and does not use up the code.
      if (request.method === 'GET') {
        code = undefined
        const cookie = randomBytes(COOKIE_BYTES).toString('base64url')
        browsers.set(cookie, new Set())
        entered()
        response.setHeader('set-cookie', `${name}=${cookie}; HttpOnly; SameSite=Strict; Path=${folder}`)
      }
      // Browsers send no `SameSite=Strict` cookie after a redirect of a navigation from another site. This page starts
      // a new navigation.
      const cameFromElsewhere = request.headers['sec-fetch-site'] === 'cross-site'
      if (cameFromElsewhere)
        sendPage(response, 200, '<p>Opening…</p>', `\n<meta http-equiv="refresh" content="0;url=${folder}">`)
      else response.writeHead(303, { location: folder, 'content-length': 0 }).end()
    },
    check(request) {
      const cookies = (request.headers.cookie ?? '')
        .split(';')
        .map((pair) => pair.trim())
        .flatMap((pair) => (pair.startsWith(`${name}=`) ? pair.slice(name.length + 1) : []))
      // Another server of this host may have set a cookie of the same name. It must not lock out the person.
      const cookie = [...browsers.keys()].find((key) => cookies.some((value) => isSame(value, key)))
      const responses = cookie === undefined ? undefined : browsers.get(cookie)
      if (cookie === undefined || responses === undefined) throw consoleFail('session_missing')
      return {
        follows(response) {
          responses.add(response)
          response.once('close', () => responses.delete(response))
        },
        leave(response) {
          browsers.delete(cookie)
          for (const open of responses) if (open !== response) open.destroy()
          response.setHeader('set-cookie', `${name}=; HttpOnly; SameSite=Strict; Path=${folder}; Max-Age=0`)
        },
      }
    },
  }
}

/** Compares two texts in a time that does not depend on where they differ. */
function isSame(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
