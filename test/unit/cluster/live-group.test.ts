/**
 * Entity events that are sent as a group: a group is read as it was written, and a message that no node wrote is
 * ignored.
 */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../../core/kernel/environment.ts'
import { type LiveBusOptions, NatsLiveBus } from '../../../plugins/cluster/nats/live-bus.ts'
import { readGroup, writeGroup } from '../../../plugins/cluster/nats/live-group.ts'
import type { BusEvent } from '../../../plugins/realtime/live/api.ts'
import { anyCharacter } from '../../support/any-character.ts'

const name = fc.string({ unit: anyCharacter, maxLength: 20 })
const event = fc.record({ bytes: fc.uint8Array({ maxLength: 40 }), user: fc.option(name) }, { requiredKeys: ['bytes'] })

test('a group is read as it was written, with any names and bytes', () => {
  fc.assert(
    fc.property(
      name,
      fc.option(name),
      fc.nat(),
      fc.array(event, { minLength: 1, maxLength: 8 }),
      (topic, tenant, n, given) => {
        const events = given.map((one): BusEvent => ({ topic, ...one }))
        const message = writeGroup({ origin: 'o', n, tenant, topic }, events)
        const group = readGroup(message)
        assert.equal([group?.head.origin, group?.head.n, group?.head.tenant], ['o', n, tenant])
        assert.equal(group?.events, events)
        // An incoming message is part of a larger buffer, which may be overwritten.
        message.fill(0)
        assert.equal(group?.events, events)
      },
    ),
    { numRuns: 200 },
  )
})

test('a message that no node wrote is ignored', () => {
  const whole = writeGroup({ origin: 'o', n: 1, tenant: 't', topic: 'a' }, [
    { topic: 'a', bytes: Uint8Array.of(1, 2, 3) },
  ])
  for (let length = 0; length < whole.length; length++) assert.is(readGroup(whole.subarray(0, length)), undefined)
  for (const text of [
    '',
    '\n',
    '{}\n',
    '[]\n',
    '[1,2,3,4,5]\n',
    '["o",1,"t","a",[1]]\n',
    '["o",1,"t","a",[-1,1]]\n',
    '["o",1,"t","a",[null]]\n',
  ])
    assert.is(readGroup(Buffer.from(text)), undefined, text)
})

interface Sent {
  readonly subject: string
  readonly message: Uint8Array
}

/** A bus whose connection records published messages. The test ends each turn with `endTurn`. */
function busOf(publish?: () => void) {
  const sent: Sent[] = []
  const turn: (() => void)[] = []
  const connection = {
    publish: (subject: string, message: Uint8Array) => {
      publish?.()
      sent.push({ subject, message })
    },
    flush: async () => undefined,
  }
  const link = { connection } as unknown as LiveBusOptions['link']
  const errors: unknown[] = []
  const bus = new NatsLiveBus({
    link,
    clock: systemClock,
    randomBytes: (length) => new Uint8Array(length),
    soon: (run) => void turn.push(run),
    onSkipped: assert.unreachable,
    onError: (error) => errors.push(error),
  })
  const endTurn = (): void => {
    for (const run of turn.splice(0)) run()
  }
  const groups = () => sent.map(({ message }) => readGroup(message)!)
  return { bus, sent, groups, endTurn, errors }
}

const change = (topic: string, text: string, user?: string): BusEvent => ({
  ...{ topic, bytes: Buffer.from(text) },
  ...(user !== undefined && { user }),
})

test('events of one turn are sent in one message per topic, in order and numbered without gaps', () => {
  const { bus, sent, groups, endTurn } = busOf()
  for (const [topic, text] of ['a1', 'a2', 'b1', 'a3'].map((one) => [one[0]!, one] as const))
    assert.ok(bus.publish('acme', change(topic, text)))
  assert.ok(bus.publish('other', change('a', 'theirs')))
  assert.equal(sent, [])
  endTurn()
  const own = groups().filter(({ head }) => head.tenant === 'acme')
  assert.equal(
    own.map(({ head, events }) => [head.n, events.map(({ bytes }) => Buffer.from(bytes).toString())]),
    [
      [1, ['a1', 'a2']],
      [2, ['b1']],
      [3, ['a3']],
    ],
  )
  assert.is(new Set(sent.map(({ subject }) => subject)).size, 3)
  endTurn()
  assert.is(sent.length, 4)
})

test('no message is larger than the limit of a server, even with long user names', () => {
  const { bus, sent, groups } = busOf()
  const user = '\u0001'.repeat(8_000)
  const texts = Array.from({ length: 60 }, (_, n) => `${n} ${'x'.repeat((n * 7_919) % 9_000)}`)
  for (const text of texts) bus.publish('acme', change('a', text, user))
  bus.publish('acme', change('a', 'y'.repeat(786_432)))
  bus.flush()
  assert.ok(sent.every(({ message }) => message.length <= 851_968))
  assert.equal(
    groups().flatMap(({ events }) => events.map(({ bytes }) => Buffer.from(bytes).toString())),
    [...texts, 'y'.repeat(786_432)],
  )
})

test('after a failed publish the bus continues, and the numbers show that a message is missing', () => {
  let isBroken = true
  const { bus, groups, endTurn, errors } = busOf(() => {
    if (isBroken) throw new Error('closed')
  })
  bus.publish('acme', change('a', 'lost'))
  endTurn()
  assert.is(errors.length, 1)
  isBroken = false
  bus.publish('acme', change('a', 'heard'))
  endTurn()
  assert.equal(
    groups().map(({ head }) => head.n),
    [2],
  )
})

test.run()
