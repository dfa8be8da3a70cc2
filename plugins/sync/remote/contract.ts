/** The contract of `sync.remote` without an enrolled device. test/e2e/sync/remote.test.ts has pushes in a service. */
import { type Case, type Contract, defineContract, type Send } from '../../../core/testing/contract.ts'

const UNKNOWN = '11111111-2222-4333-8444-555555555555'
const PUSHES = '/api/v2/sync/pushes'
const settings = { 'sync.remote': true }
const pusher = { user: 'ada', scopes: ['sync:push'] }
const stranger = { user: 'eve', tenant: 'elsewhere', scopes: ['sync:push'] }
const DEPRECATED = { deprecation: /^@\d+$/, sunset: / GMT$/, link: /successor-version/ } as const

const push = (as: Send['as'], body = '{}'): Send => ({
  method: 'POST',
  path: PUSHES,
  ...(as !== undefined && { as }),
  headers: { 'content-type': 'application/json' },
  body,
})
const answers = (name: string, send: Send, status: number, code: string): Case => ({
  name,
  given: settings,
  send,
  expect: { status, body: { error: { code } } },
})
/** A code of the right form that nobody has made. */
const CODE = `svcd1-${'0'.repeat(16)}-${'0'.repeat(43)}`
const wish = (as: Send['as'], over: object = {}): Send => ({
  method: 'POST',
  path: '/api/v2/sync/devices',
  ...(as !== undefined && { as }),
  body: { code: CODE, publicKey: 'ab'.repeat(32), signature: `${'A'.repeat(86)}==`, ...over },
})
const notThere = (send: Send): Case => ({
  name: `${send.method ?? 'GET'} ${send.path} is not on the runtime surface`,
  send: { as: pusher, ...send },
  expect: { status: 404, body: { error: { code: 'not_found' } } },
})
const routes: readonly Send[] = [
  push(pusher),
  { path: PUSHES },
  { path: `${PUSHES}/${UNKNOWN}` },
  { path: `${PUSHES}/${UNKNOWN}/events` },
  { method: 'POST', path: '/api/v1/sync/push', body: {} },
  wish(pusher),
]

/** The contract of feature `sync.remote`. */
export const contract: Contract = defineContract({
  present: [
    ...routes.map((send): Case => ({ ...notThere(send), name: `${notThere(send).name} unless sync.remote is true` })),
    answers('a push over the network without a credential is 401', push(undefined), 401, 'credential_missing'),
    answers('a push over the network without sync:push is 403', push({ user: 'ada' }), 403, 'forbidden'),
    answers('a push over the network of another tenant is 403', push(stranger), 403, 'forbidden'),
    answers(
      'a push over the network is admitted as on the socket: an empty body',
      push(pusher, ''),
      400,
      'malformed_json',
    ),
    answers(
      'a push over the network is admitted as on the socket: a repeated member',
      push(pusher, '{"a":1,"\\u0061":2}'),
      400,
      'canonicalization_failed',
    ),
    answers(
      'a push over the network is admitted as on the socket: nested too deep',
      push(pusher, `${'['.repeat(100)}${']'.repeat(100)}`),
      400,
      'canonicalization_failed',
    ),
    answers(
      'a push over the network is admitted as on the socket: another version',
      push(pusher, '{"schemaVersion":"2.0"}'),
      400,
      'unsupported_schema_version',
    ),
    answers(
      'a push over the network over 256 KiB is 413',
      push(pusher, `"${'x'.repeat(262_144)}"`),
      413,
      'payload_too_large',
    ),
    ...['', '/events'].flatMap((tail) => [
      answers(
        `an unknown push${tail} over the network is 404`,
        { path: `${PUSHES}/${UNKNOWN}${tail}`, as: pusher },
        404,
        'push_not_found',
      ),
      answers(
        `a push${tail} over the network is 404 for another tenant`,
        { path: `${PUSHES}/${UNKNOWN}${tail}`, as: stranger },
        404,
        'push_not_found',
      ),
      answers(
        `a push${tail} over the network without sync:push is 403`,
        { path: `${PUSHES}/${UNKNOWN}${tail}`, as: { user: 'ada' } },
        403,
        'forbidden',
      ),
    ]),
    answers('a code without a credential is 401', wish(undefined), 401, 'credential_missing'),
    answers('a code that nobody has made is 403', wish({ user: 'ivy' }), 403, 'invitation_invalid'),
    answers('a code of another tenant is 403', wish(stranger), 403, 'invitation_invalid'),
    ...[{ code: 'svcd1-1-2' }, { publicKey: 'AB' }, { signature: 'A' }, { context: 'svc-device-invite-1' }].map(
      (over) =>
        answers(`a code with ${JSON.stringify(over)} is 400`, wish({ user: 'ivy' }, over), 400, 'malformed_request'),
    ),
    ...[pusher, undefined].map(
      (as): Case => ({
        name: `a v1 push over the network ${as === undefined ? 'without a credential is 401' : 'is 403'}, with three headers`,
        given: settings,
        send: { method: 'POST', path: '/api/v1/sync/push', body: {}, ...(as !== undefined && { as }) },
        expect: {
          status: as === undefined ? 401 : 403,
          headers: DEPRECATED,
          body: { error: { code: as === undefined ? 'credential_missing' : 'transport_forbidden' } },
        },
      }),
    ),
  ],
  absent: routes.map(notThere),
})
