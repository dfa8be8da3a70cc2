import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { LogHub, type LogLevel } from '../../../core/kernel/log.ts'
import { keepLog } from '../../support/kernels.ts'

const test = suite('core: log')

test('records wait for a sink in order, and the oldest are dropped if there are too many', () => {
  let now = 0
  const hub = new LogHub(() => ++now)
  const log = hub.logger('svc')
  assert.ok(log.enabled('trace'), 'all levels are enabled before there is a sink')
  assert.not.ok(hub.attached)
  for (let n = 1; n <= 1_005; n++) log.info(`${n}`)
  const sink = keepLog()
  hub.attach(sink)
  assert.ok(hub.attached)
  assert.is(sink.records.length, 1_000)
  assert.is(sink.records[0]!.message, '6')
  assert.is(sink.records[0]!.timeMs, 6)
  log.info('after')
  assert.is(sink.records.at(-1)!.message, 'after')
})

test('a sink gets the records that it has enabled, whether they had to wait or not', () => {
  const hub = new LogHub(() => 0)
  const sink = keepLog()
  const enabled = (level: LogLevel, target: string): boolean => level === 'warn' && target === 'svc::a'
  const log = hub.logger('svc').child('a')
  const say = (): void => {
    for (const level of ['trace', 'debug', 'info', 'warn', 'error'] as const) log[level](level, { level })
    hub.logger('svc').warn('elsewhere')
  }
  say()
  hub.attach({ ...sink, enabled })
  say()
  assert.equal(sink.messages(), ['warn', 'warn'])
  assert.ok(log.enabled('warn'))
  assert.not.ok(log.enabled('error'))
})

test('a record has the given trace and fields', () => {
  const hub = new LogHub(() => 3)
  const sink = keepLog()
  hub.attach(sink)
  const trace = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }
  hub.logger('t').log('error', 'm', { x: 1 }, trace)
  assert.equal(sink.records, [{ timeMs: 3, level: 'error', target: 't', message: 'm', fields: { x: 1 }, trace }])
})

test('a flush calls the flush of the sink', async () => {
  const hub = new LogHub(() => 0)
  await hub.flush()
  let flushed = 0
  hub.attach({ ...keepLog(), flush: async () => void flushed++ })
  await hub.flush()
  assert.is(flushed, 1)
})

test.run()
