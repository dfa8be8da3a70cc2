/** The share of one acting key: its runs and its calls of agents, for all users it acts for and its own together. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Identity } from '../../../core/http/identity.ts'
import { AgentCalls } from '../../../plugins/realtime/agents/agent-calls.ts'
import { feature as runs } from '../../../plugins/realtime/runs/feature.ts'
import { feature as streams } from '../../../plugins/realtime/streams/feature.ts'
import { failure } from '../../support/throws.ts'
import { allFeatures, createKey, exchange, startService } from '../auth/service.ts'

const RUNS = '/api/svc/runs'

test('running runs of one acting key count together, until they end', async () => {
  const settings = {
    'security.delegation': true,
    'security.acting_key_share': 0.5,
    'realtime.max_running_runs': 8,
    'realtime.runs_tenant_share': 0.5,
  }
  const service = await startService(settings, [...allFeatures, streams, runs])
  const { key } = await createKey(service, { sub: 'backend', scope: 'svc:act' })
  const create = async (as: { as: string } | { key: string }, run_id: string): Promise<string> => {
    const { status, code, body } = await service.send(RUNS, { method: 'POST', ...as, body: { run_id } })
    return `${status} ${code ?? ''} ${(body['error'] as { message?: string } | undefined)?.message ?? ''}`.trim()
  }
  const [ada, bo] = [await exchange(service, key, { subject: 'ada' }), await exchange(service, key, { subject: 'bo' })]
  const full = '429 rate_limited This acting key has as many running runs as it may have.'
  assert.is(await create({ as: ada }, 'one'), '201')
  assert.is(await create({ as: ada }, 'one'), '409 run_exists A run with this id exists already.', 'it does not count')
  assert.is(await create({ key }, 'two'), '201', 'for itself')
  assert.is(await create({ as: bo }, 'three'), full)
  assert.is(await create({ key }, 'three'), full)
  const own = await createKey(service, { sub: 'cy', scope: 'a' })
  assert.is(await create({ key: own.key }, 'three'), '201', 'a key that may not act has the share of the tenant')
  assert.is(await create({ as: await service.token({ sub: 'ada' }) }, 'four'), '201', 'and ada herself too')
  const { status } = await service.send(`${RUNS}/one/cancel`, { method: 'POST', as: ada })
  assert.is(status, 200)
  assert.is(await create({ as: bo }, 'five'), '201', 'an ended run does not count')
  assert.is(await create({ as: bo }, 'six'), full)
  await service.kernel.capability('Runs').erase({ user_id: 'bo', tenant_id: 'default' })
  assert.is(await create({ as: bo }, 'five'), '201', 'nor does one that is gone, whose name is used again')
  assert.is(await create({ as: bo }, 'six'), full)
  await service.stop()
})

test('calls of agents of one acting key count together', () => {
  const limits = { maxAgentCalls: 100, maxAgentCallsPerIdentity: 3, maxAgentCallsPerTenant: 8 }
  const actingKey = ({ credential }: Identity): string | null => credential?.id ?? null
  const calls = new AgentCalls(limits, { actingKeyShare: 0.5, actingKey })
  const call = (user: string, key: string | null): (() => void) => {
    const credential = key === null ? null : { id: key, expiresAtMs: null }
    return calls.admit({ kind: 'user', user, tenant: 'acme', scopes: [], credential })
  }
  const refused = (user: string, key: string): void =>
    assert.match(failure('rate_limited', () => call(user, key)).message, /acting key/)
  const [first] = [call('ada', 'k'), call('bo', 'k'), call('backend', 'k'), call('ada', 'k')]
  refused('cy', 'k')
  refused('backend', 'k')
  call('cy', 'other key')
  call('ada', null)
  first()
  call('cy', 'k')
  refused('cy', 'k')
})

test.run()
