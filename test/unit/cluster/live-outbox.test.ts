/**
 * Entity events that wait for NATS: tenants take turns, and a tenant that publishes too much leaves room for others.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { LiveOutbox, MAX_PENDING } from '../../../plugins/cluster/nats/live-outbox.ts'

const KIB = 1_024

/** An outbox whose messages are numbered in the order in which they are created. */
function outboxOf() {
  const outbox = new LiveOutbox()
  let n = 0
  const add = (tenant: string, bytes: number, topic = 'todos', unconfirmed = 0): boolean =>
    outbox.add(tenant, { topic, bytes: new Uint8Array(bytes) }, unconfirmed, () => ({ origin: 'o', n: ++n }))
  const takeAll = (): (string | null)[] => {
    const tenants: (string | null)[] = []
    for (let group = outbox.take(); group !== undefined; group = outbox.take()) tenants.push(group.tenant)
    return tenants
  }
  return { outbox, add, taken: takeAll }
}

test('tenants take turns with one message each', () => {
  const { outbox, add, taken: takeAll } = outboxOf()
  for (let n = 0; n < 5; n++) add('loud', 40 * KIB)
  add('quiet', 10)
  add('other', 40 * KIB)
  add('other', 40 * KIB)
  assert.equal(takeAll(), ['loud', 'quiet', 'other', 'loud', 'other', 'loud', 'loud', 'loud'])
  assert.is(outbox.bytes, 0)
})

test('a new tenant waits for one message of a tenant that has thousands', () => {
  const { outbox, add } = outboxOf()
  for (let n = 0; n < 5_000; n++) add('loud', 100, n % 2 === 0 ? 'todos' : 'notes')
  for (let n = 1; n <= 1_000; n++) assert.is(outbox.take()?.n, n)
  add('quiet', 10)
  assert.equal([outbox.take()?.tenant, outbox.take()?.tenant, outbox.take()?.n], ['loud', 'quiet', 1_002])
})

test('events of a tenant keep their order, and an event after a refused one begins a new message', () => {
  const { outbox, add } = outboxOf()
  let accepted = 0
  while (add('loud', 60 * KIB)) accepted++
  assert.is(accepted, 136, 'half of the room')
  assert.is(outbox.take()?.n, 1)
  // The event would fit into the last message, but the publisher has numbered that message before the refused event.
  assert.ok(add('loud', 10))
  const messages: (readonly [n: number, bytes: number])[] = []
  for (let group = outbox.take(); group !== undefined; group = outbox.take())
    messages.push([group.n, group.events.reduce((sum, { bytes }) => sum + bytes.length, 0)])
  assert.equal(messages, [
    ...Array.from({ length: accepted - 1 }, (_, index) => [index + 2, 60 * KIB] as const),
    [accepted + 1, 10],
  ])
})

test('a tenant that publishes endlessly gets half of the room, and others get theirs', () => {
  const { outbox, add } = outboxOf()
  while (add('loud', KIB)) assert.ok(outbox.bytes < MAX_PENDING / 2 + 2 * KIB)
  while (add('second', KIB)) assert.ok(outbox.bytes < (3 * MAX_PENDING) / 4 + 4 * KIB)
  assert.ok(add('quiet', 700 * KIB))
  assert.not(add('late', 10, 'todos', MAX_PENDING - outbox.bytes))
  outbox.clear()
  assert.is(outbox.bytes, 0)
  assert.is(outbox.take(), undefined)
})

test.run()
