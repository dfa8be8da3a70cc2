/** Sends valid and invalid requests to a running server. */
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Plugin } from '../../../core/declare/plugin.ts'
import { type HttpCase, httpCases } from '../../support/vectors/http.ts'
import { type Dialled, dial, type Rig, startRig } from './rig.ts'

/** The documented deviations of a server from the verdicts. A deviation never results in a second answer. */
export interface Exceptions {
  /** Returns true if the server refuses this valid request. */
  readonly refuses: (input: string) => boolean
  /** The names of invalid requests that the server accepts. */
  readonly takes: readonly string[]
}

/** Adds the vectors to `test`. */
export function addHttpCases(
  test: Test,
  transports: readonly Plugin[],
  settings: Readonly<Record<string, unknown>>,
  exceptions: Exceptions,
): void {
  test('valid and invalid requests', async () => {
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
      const probe = dial(rig.port)
      const problems: string[] = []
      for (const one of httpCases()) {
        bodies.length = 0
        const text = await exchange(rig, Buffer.from(one.input_b64, 'base64'), probe)
        problems.push(...judge(one, text, { bodies, exceptions }).map((problem) => `${one.name}: ${problem}`))
      }
      assert.equal(problems, [])
    } finally {
      await rig.stop()
    }
  })
}

interface Seen {
  /** The bodies that the handler got. */
  readonly bodies: readonly string[]
  readonly exceptions: Exceptions
}

/** What is wrong with the answers. */
function judge(one: HttpCase, text: string, { bodies, exceptions }: Seen): string[] {
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
  const latin1 = Buffer.from(one.input_b64, 'base64').toString('latin1')
  // The server waits for the rest of an incomplete request, so a missing answer is no problem.
  if (one.expect === 'accept' && latin1.includes('\r\n\r\n') && !exceptions.refuses(latin1)) {
    const first = statuses[0]
    if (first === undefined || (first >= 400 && first !== 404 && first !== 405))
      problems.push(`refused: ${statuses.join(' ')}`)
    if (one.body_b64 !== undefined && bodies[0] !== one.body_b64) problems.push(`body ${bodies[0]}`)
  }
  return problems
}

/**
 * Sends the bytes and returns everything received until the server closes the connection, or until it has answered
 * `ROUNDS` requests of another connection since the last byte. All answers in these tests are immediate.
 */
async function exchange(rig: Rig, input: Uint8Array, probe: Dialled): Promise<string> {
  const client = dial(rig.port, input)
  let closed = false
  client.socket.on('close', () => (closed = true))
  let before = -1
  for (let quiet = 0; quiet < ROUNDS && !closed; quiet++) {
    const answers = countAnswers(probe) + 1
    probe.socket.write('GET /health HTTP/1.1\r\nHost: a\r\n\r\n')
    await probe.until(() => countAnswers(probe) === answers)
    if (client.text().length !== before) quiet = 0
    before = client.text().length
  }
  client.socket.destroy()
  return client.text()
}

const ROUNDS = 4

function countAnswers(probe: Dialled): number {
  return probe.text().split('HTTP/1.1 200 ').length - 1
}
