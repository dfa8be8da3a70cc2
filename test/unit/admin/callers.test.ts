/** The list of callers: by user, with open streams, and bounded. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { closedSink, type StreamReply, type StreamSink } from '../../../core/http/reply.ts'
import { type Callers, createCallers, LISTED_MS } from '../../../plugins/admin/running/callers.ts'
import { makeRequest } from '../../support/requests.ts'

let now = 1_000

/** A request of a user, answered with a status. */
function call(callers: Callers, user: string | null, status = 200): void {
  callers.hook.onReply!(requestOf(user), { status }, 1)
}

function requestOf(user: string | null) {
  const request = makeRequest('/api/svc/runs')
  request.identity = { kind: user === null ? 'anonymous' : 'user', user, tenant: 'acme', scopes: [], credential: null }
  return request
}

const create = (): Callers => createCallers({ now: () => now, addressOf: () => '192.0.2.1' })

test('requests are counted by user, and refused ones too', () => {
  const callers = create()
  call(callers, 'ada')
  call(callers, 'ada', 429)
  call(callers, null, 401)
  assert.equal(
    callers.list().map(({ user, requests, refused }) => [user, requests, refused]),
    [
      ['ada', 2, 1],
      [null, 1, 1],
    ],
  )
})

test('a stream is listed from its opening to its end, and the stream still hears of its end', () => {
  const callers = create()
  const heard: string[] = []
  const reply: StreamReply = { status: 200, stream: (sink) => sink.onClose(() => heard.push('closed')) }
  const seen = callers.hook.amend!(requestOf('ada'), reply) as StreamReply
  let close: () => void = () => undefined
  const sink: StreamSink = { ...closedSink, onClose: (listener) => void (close = listener) }
  seen.stream(sink)
  now += 2 * LISTED_MS
  assert.equal(callers.list()[0]?.streams, [{ route: 'unmatched', address: '192.0.2.1', since_ms: 1_000 }])
  close()
  assert.equal([callers.list(), heard], [[], ['closed']])
})

test('a caller is forgotten after five minutes, and ten thousand are the most', () => {
  const callers = create()
  call(callers, 'ada')
  now += LISTED_MS
  assert.equal(callers.list(), [])
  for (let n = 0; n <= 10_000; n++) call(callers, `user ${n}`)
  assert.is(callers.list().length, 10_000)
  assert.ok(callers.list().some(({ user }) => user === 'user 10000'))
  assert.not.ok(callers.list().some(({ user }) => user === 'user 0'))
})

test.run()
