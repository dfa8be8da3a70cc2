/**
 * The typed calls of `svc/client` with their expected results, for one service or for several nodes behind one address.
 */
import * as assert from 'uvu/assert'
import type { createClient as CreateClient } from '../../../plugins/client/index.ts'
import { tokenFor } from '../../conformance/caller.ts'

/** The service under test. It must have the topic `todos`. */
export interface CallsOptions {
  readonly createClient: typeof CreateClient
  readonly baseUrl: string
  /** Waits until a revocation is effective on every node. */
  readonly revocation: () => Promise<void>
}

/** Calls the routes of keys, runs and live events, and checks every kind of refusal. */
export async function checkCalls({ createClient, baseUrl, revocation }: CallsOptions): Promise<void> {
  let tokenCount = 0
  const { api } = createClient({
    baseUrl,
    token: async () => tokenFor({ user: `u${tokenCount++ > 4 ? 2 : 1}`, scopes: ['live:publish'] }),
  })
  const health = await api.GET('/health')
  assert.equal(health.ok && health.data, { status: 'ok' })

  const made = await api.POST('/api/svc/runs', { body: { run_id: 'r-1' } })
  assert.ok(made.ok && made.status === 201 && made.data.status === 'running')
  const known = await api.GET('/api/svc/runs/{run_id}', { path: { run_id: 'r-1' } })
  assert.equal(known.ok && known.data.run_id, 'r-1')
  const twice = await api.POST('/api/svc/runs', { body: { run_id: 'r-1' } })
  assert.equal(!twice.ok && [twice.status, twice.error.code], [409, 'run_exists'])
  const published = await api.POST('/api/live/{topic}', {
    path: { topic: 'todos' },
    body: { identifier: '1', operation: 'insert', data: { title: 'ü' } },
  })
  assert.equal(published.ok && [published.status, published.data], [202, { status: 'accepted' }])
  // The client requests a token for each call. From here on the token is of another user.
  const foreign = await api.GET('/api/svc/runs/{run_id}', { path: { run_id: 'r-1' } })
  assert.equal(!foreign.ok && [foreign.status, foreign.error.code], [404, 'not_found'])

  const key = await api.POST('/api/svc/auth/keys', { body: { name: 'calls' } })
  assert.ok(key.ok)
  const byKey = createClient({ baseUrl, headers: { 'x-api-key': key.data.key } }).api
  const token = await byKey.POST('/api/svc/auth/exchange')
  assert.is(token.ok && token.data.token_type, 'Bearer')
  const gone = await api.DELETE('/api/svc/auth/keys/{id}', { path: { id: key.data.record.id } })
  assert.equal([gone.ok, gone.status, gone.ok && gone.data], [true, 204, undefined])
  await revocation()
  const revoked = await byKey.GET('/api/svc/runs')
  assert.equal(!revoked.ok && [revoked.status, revoked.error.code], [401, 'api_key_invalid'])
  const nobody = await createClient({ baseUrl }).api.GET('/api/svc/runs')
  assert.equal(!nobody.ok && [nobody.status, nobody.error.code], [401, 'credential_missing'])
}
