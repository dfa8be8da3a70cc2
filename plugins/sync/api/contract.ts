/** The contract of the local sync API, as far as it can be tested without an enrolled device. */
import { type Case, type Contract, defineContract } from '../../../core/testing/contract.ts'
import { PUSHES_PATH, UNSIGNED_PATH } from './paths.ts'

const UNKNOWN = '11111111-2222-4333-8444-555555555555'
const DEPRECATED = { deprecation: /^@\d+$/, sunset: / GMT$/, link: /successor-version/ } as const

const refused = (name: string, body: string, code: string, status = 400): Case => ({
  name: `a push: ${name} is ${status} ${code}`,
  surface: 'local',
  send: { method: 'POST', path: PUSHES_PATH, headers: { 'content-type': 'application/json' }, body },
  expect: { status, body: { error: { code } } },
})

/** A push of the right shape whose key is not enrolled. */
const STRANGER = JSON.stringify({
  schemaVersion: '1.7',
  requestId: UNKNOWN,
  domain: 'kbd-control:demo',
  targetEndpointIds: [],
  expectedFrontier: null,
  issuedAtMs: 0,
  signerKeyId: `ed25519:${'ab'.repeat(32)}`,
  signature: `${'A'.repeat(86)}==`,
})

/** A command line that is refused before the key file is read. */
const unsignable = (option: string, values: readonly string[], says: RegExp): Case => ({
  name: `svc push does not sign for ${option} ${values.join(', ').slice(0, 20)}`,
  needs: ['cli'],
  command: ['push', '--key', 'none', '--domain', 'kbd-control:demo', ...values.flatMap((value) => [option, value])],
  exits: { code: 64, stdout: '', stderr: says },
})
/** The neutral element of the curve, in hex: its order is not the prime order of a key. */
const NO_KEY = `01${'00'.repeat(31)}`
const HASH = 'ab'.repeat(32)

/** The contract of feature `sync.api`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'GET /health on the socket answers ok',
      surface: 'local',
      send: { path: '/health' },
      expect: { status: 200, headers: { 'content-type': 'application/json' }, body: { status: 'ok' } },
    },
    {
      name: 'GET /api/v1/build on the socket says which build runs',
      surface: 'local',
      send: { path: '/api/v1/build' },
      expect: { status: 200, headers: { 'content-type': 'application/json' }, body: { platform: 'node' } },
    },
    {
      name: 'GET /ready on the socket names its three checks',
      surface: 'local',
      send: { path: '/ready' },
      expect: {
        status: 200,
        body: {
          status: 'ready',
          checks: {
            authority: { status: 'ok', required: true },
            receipt_store: { status: 'ok', required: true },
            devices: { status: 'ok', required: true },
          },
        },
      },
    },
    {
      name: 'GET /readyz of the runtime surface reports the store',
      send: { path: '/readyz' },
      expect: { status: 200, body: { checks: { persistence: { status: 'ok', required: true } } } },
    },
    refused('an empty body', '', 'malformed_json'),
    refused('a repeated member', '{"a":1,"\\u0061":2}', 'canonicalization_failed'),
    refused('another version', '{"schemaVersion":"2.0"}', 'unsupported_schema_version'),
    refused('no members', '{"schemaVersion":"1.7"}', 'malformed_request'),
    refused('an unknown signer', STRANGER, 'signer_unknown', 403),
    refused('a body over 256 KiB', `"${'x'.repeat(262_144)}"`, 'payload_too_large', 413),
    {
      name: 'a push of another content type is 415',
      surface: 'local',
      send: { method: 'POST', path: PUSHES_PATH, headers: { 'content-type': 'text/plain' }, body: '{}' },
      expect: { status: 415, body: { error: { code: 'unsupported_media_type' } } },
    },
    {
      name: 'GET on the pushes is 405 and says what is allowed',
      surface: 'local',
      send: { path: PUSHES_PATH },
      expect: { status: 405, headers: { allow: 'POST' } },
    },
    ...['', '/events'].map(
      (tail): Case => ({
        name: `an unknown push${tail} is 404 push_not_found`,
        surface: 'local',
        send: { path: `${PUSHES_PATH}/${UNKNOWN}${tail}` },
        expect: { status: 404, body: { error: { code: 'push_not_found' } } },
      }),
    ),
    ...['-1', '1.5', 'x', ''].map(
      (after): Case => ({
        name: `events after "${after}" are 400`,
        surface: 'local',
        send: { path: `${PUSHES_PATH}/${UNKNOWN}/events?after=${after}` },
        expect: { status: 400, body: { error: { code: 'malformed_request' } } },
      }),
    ),
    {
      name: 'a v1 push to a control domain is refused, and the refusal is marked as deprecated',
      surface: 'local',
      send: { method: 'POST', path: UNSIGNED_PATH, body: { domain: 'kbd-control:demo', payload: 1 } },
      expect: { status: 403, headers: DEPRECATED, body: { error: { code: 'domain_prohibited' } } },
    },
    ...(['text/plain', 'application/json'] as const).map(
      (type): Case => ({
        name: `a v1 push that is malformed (${type}) is marked as deprecated too`,
        surface: 'local',
        send: { method: 'POST', path: UNSIGNED_PATH, headers: { 'content-type': type }, body: '{}' },
        expect: { status: type === 'text/plain' ? 415 : 400, headers: DEPRECATED },
      }),
    ),
    unsignable('--target', ['X'], /--target X is not an endpoint id, which is an Ed25519 public key in 64 lower-case/),
    unsignable('--target', [NO_KEY], /--target 01(?:00)+ is not an endpoint id/),
    unsignable('--head', ['ABC'], /--head ABC is not a hash of 64 lower-case hex digits/),
    unsignable('--head', [HASH, HASH], /--head is given twice with one value/),
    {
      name: 'svc device enroll takes the id of a key that was made elsewhere, and refuses what is none',
      needs: ['cli'],
      dialogue: async ({ run }) => {
        const enrol = (key: string): ReturnType<typeof run> =>
          run(['device', 'enroll', '--key', key, '--scope', 'kbd-control:demo'])
        const wrong = await enrol('ed25519:abc')
        if (wrong.code !== 64 || !wrong.stderr.includes('a key id is ed25519: and 64 lower-case hex digits'))
          throw new Error(JSON.stringify(wrong))
        const bad = await enrol(`ed25519:${NO_KEY}`)
        if (bad.code !== 1 || !bad.stderr.includes('cannot be enrolled')) throw new Error(JSON.stringify(bad))
        // The key of RFC 8032 section 7.1, test 1.
        const keyId = 'ed25519:d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'
        const enrolled = await enrol(keyId)
        if (enrolled.code !== 0 || enrolled.stdout !== `${keyId}\n`) throw new Error(JSON.stringify(enrolled))
      },
    },
    {
      name: 'the sync API is not on the runtime surface',
      send: { path: PUSHES_PATH, as: { user: 'ada' } },
      expect: { status: 404, body: { error: { code: 'not_found' } } },
    },
  ],
  absent: [
    {
      name: 'the sync API is not there',
      send: { path: PUSHES_PATH, as: { user: 'ada' } },
      expect: { status: 404, body: { error: { code: 'not_found' } } },
    },
  ],
})
