/** Types and helpers that all cases of the servers share. */
import type { Test } from 'uvu'
import { type Rig, responses, type TestRoute } from '../rig.ts'

/** The documented differences between the servers. */
export interface Traits {
  /** Whether the server accepts bodies in the chunked coding. */
  readonly chunked: boolean
  /** Whether the server answers pipelined requests whose answers are not ready at once. */
  readonly patient: boolean
}

/** Starts the server under test with routes and additional settings. The server is stopped after the case. */
export type Start = (routes?: readonly TestRoute[], more?: Readonly<Record<string, unknown>>) => Promise<Rig>

/** Adds cases about one topic to a suite. */
export type AddCases = (test: Test, start: Start, traits: Traits) => void

/** The text of a GET request. `more` are complete header lines. */
export const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`

/** The text of a POST request with JSON and its length. */
export const post = (path: string, body: string, more = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`

/** Whether a text has `count` responses, the last one with its whole body. */
export const whole =
  (count: number) =>
  (text: string): boolean =>
    responses(text).length === count && complete(text)

/** Waits `ms` milliseconds. */
export const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Waits until a condition holds, for at most `limitMs` milliseconds. Returns whether it holds. */
export async function eventually(holds: () => boolean, limitMs = 20_000): Promise<boolean> {
  const until = performance.now() + limitMs
  while (!holds() && performance.now() < until) await later(5)
  return holds()
}

/** The error code of an envelope. */
export const code = (response: { body: string } | undefined): string => JSON.parse(response!.body).error.code

/** A route that answers with the request body. */
export const echo: TestRoute = {
  method: 'POST',
  path: '/echo',
  body: { type: 'application/json' },
  handler: async (request) => ({ status: 200, body: await request.body() }),
}

function complete(text: string): boolean {
  const last = responses(text).at(-1)!
  return last.headers['content-length'] === undefined || last.body.length === Number(last.headers['content-length'])
}
