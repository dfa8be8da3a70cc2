/** Sends published valid and invalid requests to a running server. */
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Plugin } from '../../../core/plugin.ts'
import { testUnless } from '../../support/skip.ts'
import { noVectors, vectorCases } from '../../support/vectors.ts'
import { dial, type Rig, startRig } from './rig.ts'

interface Case {
  readonly name: string
  readonly input_b64: string
  readonly expect: 'accept' | 'reject' | 'either' | 'ignore-rest'
  readonly max_responses?: number
  readonly body_b64?: string
}

/** The documented deviations of a server from the vectors. A deviation never results in a second answer. */
export interface Exceptions {
  /** Returns true if the server refuses this valid request. */
  readonly refuses: (input: string) => boolean
  /** The names of invalid requests that the server accepts. */
  readonly takes: readonly string[]
}

/** Adds the vectors to `test`. */
export function addVectors(
  test: Test,
  transports: readonly Plugin[],
  settings: Readonly<Record<string, unknown>>,
  exceptions: Exceptions,
): void {
  for (const file of ['rfc9112_authored.json', 'llhttp_requests.json']) {
    testUnless(test, noVectors, `requests of ${file}`, async () => {
      const bodies: string[] = []
      const handler = async (request: { body(): Promise<Uint8Array> }): Promise<{ status: 200; body: string }> => {
        bodies.push(Buffer.from(await request.body()).toString('base64'))
        return { status: 200, body: 'served' }
      }
      const rig = await startRig(
        transports,
        ['/', '/p', '/2', '/x', '/smuggled'].flatMap((path) => [
          { path, handler },
          { path, method: 'POST' as const, handler },
        ]),
        settings,
      )
      try {
        const cases = toCases(vectorCases(`http11/${file}`))
        assert.ok(cases.length > 50)
        const problems: string[] = []
        for (const one of cases) {
          bodies.length = 0
          problems.push(...(await runCase(rig, one, bodies, exceptions)).map((problem) => `${one.name}: ${problem}`))
        }
        assert.equal(problems, [])
        const alive = await dial(rig.port, 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n').until((text) =>
          text.includes('ok'),
        )
        assert.match(alive, /^HTTP\/1.1 200 /)
      } finally {
        await rig.stop()
      }
    })
  }
}

async function runCase(rig: Rig, one: Case, bodies: readonly string[], exceptions: Exceptions): Promise<string[]> {
  const input = Buffer.from(one.input_b64, 'base64')
  const text = await exchange(rig, input)
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)]
    .map(([, status]) => Number(status))
    .filter((status) => status >= 200)
  const served = statuses.filter((status) => status < 400).length
  const problems: string[] = []
  if (one.max_responses !== undefined && served > one.max_responses) problems.push(`${served} answers`)
  if (one.expect === 'ignore-rest' && served > 1) problems.push(`${served} answers`)
  const taken = served > 0 || bodies.length > 0
  if (one.expect === 'reject' && taken !== exceptions.takes.includes(one.name)) {
    problems.push(taken ? `served: ${statuses.join(' ')}` : 'refused by now')
  }
  const latin1 = input.toString('latin1')
  // The server waits for the rest of an incomplete request, so a missing answer is no problem.
  if (one.expect === 'accept' && latin1.includes('\r\n\r\n') && !exceptions.refuses(latin1)) {
    const first = statuses[0]
    if (first === undefined || (first >= 400 && first !== 404 && first !== 405))
      problems.push(`refused: ${statuses.join(' ')}`)
    if (one.body_b64 !== undefined && bodies[0] !== one.body_b64) problems.push(`body ${bodies[0]}`)
  }
  return problems
}

/** Sends the bytes and returns everything received until the server closes the connection or pauses for `QUIET_MS`. */
function exchange(rig: Rig, input: Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    const client = dial(rig.port, input)
    let timer = setTimeout(done, QUIET_MS)
    function done(): void {
      clearTimeout(timer)
      resolve(client.text())
      client.socket.destroy()
    }
    client.socket.on('data', () => {
      clearTimeout(timer)
      timer = setTimeout(done, QUIET_MS)
    })
    client.socket.on('close', done)
  })
}

/** The longest pause before an answer, in milliseconds. All answers in these tests are immediate. */
const QUIET_MS = 120

function toCases(cases: readonly (Case & { server_expect?: Case['expect'] })[]): Case[] {
  // A case may have two verdicts. The verdict for a complete server is the stricter one.
  return cases.map((one) => ({ ...one, expect: one.server_expect ?? one.expect }))
}
