/** Writes of every kind that a store keeps, one after another: an API key, an append to a run, a push, a board. */
import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { CONTRACT_SECRET, mint } from '../../../plugins/auth/contract-tokens.ts'
import { cheapHashes } from '../../support/cheap-hashes.ts'
import { type Signer, signed } from '../../unit/sync/platforms.ts'
import { enter, PROJECT } from '../kbd/caller.ts'
import { pushOf, type Reply, type Send, sendTo } from './daemon.ts'
import type { Place } from './shipped.ts'

/**
 * Settings with which the program keeps all kinds in its store, hashes keys cheaply and takes the token of these
 * writes.
 */
export const allKinds: Readonly<Record<string, string>> = {
  SVC_SERVER__MODE: 'all',
  SVC_SECURITY__JWT_SECRET: CONTRACT_SECRET,
  SVC_SECURITY__KEY_STORE: 'sqlite',
  ...cheapHashes,
  SVC_REALTIME__RUN_STORE: 'sqlite',
}

/** The kinds, in the words of `svc store`. */
export type Kind = 'API key' | 'event' | 'receipt' | 'board'

/** A write that was acknowledged. */
export interface Written {
  readonly kind: Kind
  /** Whether the service has it. */
  isThere(): Promise<boolean>
}

/** Writes in a fixed order. */
export interface Writer {
  /** All that was acknowledged, in order: each was sent after the one before was answered. */
  readonly written: readonly Written[]
  write(): Promise<void>
}

/** Creates the run that events are appended to, and gives the writer. The signer may push to the project `demo`. */
export async function createWriter(place: Place, port: number, signer: Signer): Promise<Writer> {
  const local = { send: (one: Send): Promise<Reply> => sendTo(place, one) }
  const headers = { authorization: `Bearer ${await mint({ sub: 'ada' })}`, 'content-type': 'application/json' }
  const get = (path: string): Promise<Reply> => sendTo({ host: '127.0.0.1', port }, { path, headers })
  const post = async (path: string, body: unknown): Promise<Reply> => {
    const at = { host: '127.0.0.1', port }
    const reply = await sendTo(at, { method: 'POST', path, headers, body: JSON.stringify(body) })
    assert.ok(reply.status < 300, reply.text)
    return reply
  }
  const run = `/api/svc/runs/${(await post('/api/svc/runs', { thread_id: 't' })).json()['run_id']}`
  await post(`${run}/events`, [{ type: 'RUN_STARTED', threadId: 't', runId: run.slice(run.lastIndexOf('/') + 1) }])

  const kinds: Readonly<Record<Kind, () => Promise<Written['isThere']>>> = {
    async 'API key'() {
      const key = (await post('/api/svc/auth/keys', { name: 'a key' })).json()['key'] as string
      const use = { path: '/no-such-path', headers: { 'x-api-key': key } }
      return async () => (await sendTo({ host: '127.0.0.1', port }, use)).status === 404
    },
    async event() {
      const seq = (await post(`${run}/events`, [{ type: 'CUSTOM', name: 'n', value: 1 }])).json()['last_seq'] as number
      return async () => ((await get(run)).json()['last_seq'] as number) >= seq
    },
    async receipt() {
      const { status, text, json } = await local.send(pushOf(signed(signer, { issuedAtMs: Date.now() })))
      assert.is(status, 201, text)
      const path = `/api/v2/sync/pushes/${json()['pushId']}`
      return async () => (await local.send({ path })).text === text
    },
    async board() {
      const boardId = randomUUID()
      await enter(local, signer, { type: 'board.create', boardId, title: 'Plans' })
      return async () => boardId in ((await local.send({ path: PROJECT })).json()['boards'] as object)
    },
  }
  const order = Object.keys(kinds) as readonly Kind[]
  const written: Written[] = []
  return {
    written,
    async write() {
      const kind = order[written.length % order.length] as Kind
      written.push({ kind, isThere: await kinds[kind]() })
    },
  }
}
