/** Requests of the tests of boards to a service in this process. */
import { sign } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { Command, CommandEnvelope, Standing } from '../../../plugins/kbd/api.ts'
import { type CommandDraft, signCommand } from '../../../plugins/protocol/sign/index.ts'
import type { Signer } from '../../unit/sync/platforms.ts'
import type { Daemon, Reply } from '../sync/daemon.ts'

/** Where requests go: a service of this process, or one that listens. */
type Receiver = Pick<Daemon, 'send'>

/** The project of these tests. */
export const PROJECT = '/api/v1/kbd/projects/demo'

/** A command signed for the project. */
export async function envelopeOf(
  { keyId, publicKey, privateKey }: Signer,
  draft: Omit<CommandDraft, 'project'> & { project?: string },
): Promise<CommandEnvelope> {
  const key = { keyId, publicKey, sign: (message: Uint8Array) => sign(null, message, privateKey) }
  return signCommand(key, { project: 'demo', ...draft })
}

/** Posts an envelope. */
export function post(daemon: Receiver, envelope: unknown, project = 'demo'): Promise<Reply> {
  return daemon.send({
    method: 'POST',
    path: `/api/v1/kbd/projects/${project}/commands`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(envelope),
  })
}

/** Stores a text under a hash. */
export function put(daemon: Receiver, body: Uint8Array | string, hash: string): Promise<Reply> {
  const headers = { 'content-type': 'application/octet-stream' }
  return daemon.send({ method: 'PUT', path: `/api/v1/kbd/content/${hash}`, headers, body })
}

/** Sends a GET request. */
export function get(daemon: Receiver, path: string, headers: Record<string, string> = {}): Promise<Reply> {
  return daemon.send({ path, headers })
}

/**
 * Enters commands one after another, each on the heads after the previous one. Returns the resulting standing of the
 * project.
 */
export async function enter(daemon: Receiver, signer: Signer, ...commands: readonly Command[]): Promise<Standing> {
  let standing = (await get(daemon, PROJECT)).json() as unknown as Standing
  for (const command of commands) {
    const reply = await post(daemon, await envelopeOf(signer, { command, parents: standing.frontier.heads }))
    assert.is(reply.status, 201, reply.text)
    standing = reply.json() as unknown as Standing
  }
  return standing
}

/** The status of an answer, and the code of a refusal. */
export function code({ status, json }: Reply): string {
  return `${status} ${json().error?.code ?? ''}`
}
