/** What the cases of the servers have in common: how they are told of a server, and how they speak to it. */
import type { Test } from 'uvu'
import { type Rig, responses, type TestRoute } from '../rig.ts'

/** What differs between the servers, as their documentation says. */
export interface Traits {
  /** Takes bodies in the chunked coding. */
  readonly chunked: boolean
  /** Answers pipelined requests that do not have their answers at once. */
  readonly patient: boolean
}

/** Starts the server under test with routes, and settings beside its own; it is stopped after the case. */
export type Start = (routes?: readonly TestRoute[], more?: Readonly<Record<string, unknown>>) => Promise<Rig>

/** Adds cases about one topic to a suite. */
export type AddCases = (test: Test, start: Start, traits: Traits) => void

/** A GET; `more` are whole header lines. */
export const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`

/** A POST of JSON with its length. */
export const post = (path: string, body: string, more = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`

/** Whether a text holds so many responses, the last one with all of its body. */
export const whole =
  (count: number) =>
  (text: string): boolean =>
    responses(text).length === count && complete(text)

/** Lets time pass. */
export const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Waits until something holds, at most `limitMs`; gives whether it does. */
export async function eventually(holds: () => boolean, limitMs = 1_000): Promise<boolean> {
  const until = performance.now() + limitMs
  while (!holds() && performance.now() < until) await later(5)
  return holds()
}

/** The error code of an envelope. */
export const code = (response: { body: string } | undefined): string => JSON.parse(response!.body).error.code

/** Answers with the body that it is sent. */
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
