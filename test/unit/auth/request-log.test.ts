/** The line of a request names its code and its caller; refused credentials are counted. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { MetricSink } from '../../../core/declare/metric.ts'
import { definePlugin, type Plugin } from '../../../core/declare/plugin.ts'
import type { LogRecord } from '../../../core/kernel/log.ts'
import { variant as consoleVariant } from '../../../plugins/telemetry/logs/console.ts'
import { feature as logFeature } from '../../../plugins/telemetry/logs/feature.ts'
import { allFeatures, startService } from './service.ts'

interface Watched {
  readonly counts: Map<string, number>
  readonly plugins: readonly Plugin[]
}

/** All features with the log, and the counts of refusals. */
function watched(): Watched {
  const counts = new Map<string, number>()
  const sink: MetricSink = {
    declare: () => {},
    move: () => {},
    record: ({ name }, { code }, value) => {
      if (name === 'svc_auth_refusals_total') counts.set(code!, (counts.get(code!) ?? 0) + value)
    },
    begin: ({ name }, { code }) => {
      if (name === 'svc_auth_refusals_total') counts.set(code!, 0)
    },
  }
  const host = definePlugin({
    name: 'host',
    feature: 'test',
    provides: ['MetricSink'],
    setup: (ctx) => ctx.provide('MetricSink', sink),
  })
  return { counts, plugins: [...allFeatures, logFeature.with(consoleVariant), host] }
}

/** The fields of the line of the last request. */
function lastLine(records: readonly LogRecord[]): unknown {
  const line = records.findLast(({ target, fields }) => target === 'svc::http' && fields?.['status'] !== undefined)
  return ['status', 'code', 'user', 'tenant', 'actor', 'client', 'key_id'].map((name) => line?.fields?.[name])
}

test('the line of a request has the code of the error and who called', async () => {
  const { plugins } = watched()
  const service = await startService({ 'server.trusted_proxies': ['10.0.0.1'], 'logs.filter': 'info' }, plugins)
  const as = await service.token({ tenant_id: 'acme' })
  const forwarded = { 'x-forwarded-for': '192.0.2.7' }
  const last = (): unknown => lastLine(service.records)

  await service.send('/whoami', { as, address: '10.0.0.1', headers: forwarded })
  assert.equal(last(), [200, undefined, 'ada', 'acme', undefined, '192.0.2.7', undefined])
  await service.send('/whoami', { as, address: '10.0.0.9', headers: forwarded })
  assert.equal(last(), [200, undefined, 'ada', 'acme', undefined, '10.0.0.9', undefined])
  await service.send('/none', { as })
  assert.equal(last(), [404, 'not_found', 'ada', 'acme', undefined, undefined, undefined])
  await service.send('/whoami', { as: 'rubbish' })
  assert.equal(last(), [401, 'token_malformed', undefined, undefined, undefined, undefined, undefined])
  await service.send('/whoami', { as: await service.token({ act: { sub: 'shop' } }) })
  assert.equal(last(), [200, undefined, 'ada', 'default', 'shop', undefined, undefined])

  const { body } = await service.send('/api/svc/auth/keys', { method: 'POST', as, body: { name: 'x' } })
  const { id } = body['record'] as { id: string }
  await service.send('/whoami', { key: String(body['key']) })
  assert.equal(last(), [200, undefined, 'ada', 'acme', undefined, undefined, id])
  const exchanged = await service.send('/api/svc/auth/exchange', { method: 'POST', key: String(body['key']) })
  await service.send('/whoami', { as: String(exchanged.body['access_token']) })
  assert.equal(last(), [200, undefined, 'ada', 'acme', undefined, undefined, id])

  const text = JSON.stringify(service.records)
  for (const secret of [as, String(body['key']), String(exchanged.body['access_token'])])
    assert.not.ok(text.includes(secret))
  await service.stop()
})

test('logs.identity=false leaves out who called, and keeps the code', async () => {
  const { plugins } = watched()
  const service = await startService({ 'logs.identity': false, 'logs.filter': 'info' }, plugins)
  await service.send('/none', { as: await service.token(), address: '10.0.0.1' })
  assert.equal(lastLine(service.records), [404, 'not_found', ...Array.from({ length: 5 })])
  await service.stop()
})

test('every refused credential is counted by its code, also where the caller is then anonymous', async () => {
  for (const required of [true, false]) {
    const { counts, plugins } = watched()
    const service = await startService({ 'security.jwt_required': required }, plugins)
    assert.ok(counts.get('token_expired') === 0 && counts.get('api_key_invalid') === 0, 'the series exist')
    await service.send('/whoami', { as: await service.token({ exp: 1 }) })
    await service.send('/whoami', { as: 'rubbish' })
    await service.send('/whoami', { as: await service.token() })
    await service.send('/whoami', { key: 'rubbish' })
    await service.send('/api/svc/auth/exchange', { method: 'POST', key: 'rubbish' })
    await service.send('/whoami')
    assert.equal(Object.fromEntries([...counts].filter(([, count]) => count > 0)), {
      token_expired: 1,
      token_malformed: 1,
      api_key_invalid: 2,
      ...(required && { credential_missing: 1 }),
    })
    await service.stop()
  }
})

test.run()
