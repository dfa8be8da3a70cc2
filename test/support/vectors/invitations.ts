/**
 * Uses of an invitation: the signed text, and requests with their answers. The key is that of RFC 8032 section 7.1,
 * TEST 1. All signatures were made with OpenSSL, over the texts that their names describe.
 */

/** The key and the code of all cases. */
export const given = {
  seedHex: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
  publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
  id: '0123456789ABCDEF',
  secret: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg',
} as const

const code = `svcd1-${given.id}-${given.secret}`
const { publicKey } = given

/** The text that is signed, and its signature. */
export const signed: { readonly text: string; readonly signature: string } = {
  text: `{"code":"${code}","context":"svc-device-invite-1","publicKey":"${publicKey}"}`,
  signature: 'nkwkq4JHDjE5NJLSJxstPQjFxIsaHzSiJg7hiWGSKDDZAuFS4dEADnKDMNpKpMKnbo+45RJS94GpBw1gmpxPAg==',
}

/** A request, and the status and the code of its answer; `member` is what a 400 names. */
export interface InvitationCase {
  readonly name: string
  readonly body: string
  readonly answer: string
  readonly member?: string
}

const whole = { code, publicKey, signature: signed.signature }
const text = (over: object): string => JSON.stringify({ ...whole, ...over })
const invalid = (name: string, signature: string): InvitationCase => ({
  name: `a signature over ${name}`,
  body: text({ signature }),
  answer: '403 invitation_invalid',
})
const malformed = (name: string, member: string, over: object): InvitationCase => ({
  name,
  body: text(over),
  answer: '400 malformed_request',
  member,
})

/** Signatures of the same key over other texts. */
const otherTexts: readonly InvitationCase[] = [
  invalid('no context', 'HUDlYKssz/a+ToLsvAkU+B4n4QYm6f9zDoY88Sod51AicRFjXwRX81LRM79wgjbIi0OlcDtCgLiKwLYTAOj/Dg=='),
  invalid(
    'the context of an acknowledgement',
    '3aHSzNhLjImZqBLX3u5tEpXS/YraJt7Ocm6VEavuPi9orLs6PIvl8e47P4Tf7EpK3B9ehUopDwgYGR7mfpsGCQ==',
  ),
  invalid(
    'the context of a later version',
    'z3RCMhFv0o59InC0T2FDtAom6lGItoYdSDvkopGomxcqvcHs8nPCe3wcM+G6jbv1PshHG6rPbhaxgoZmlBlACA==',
  ),
  invalid(
    'the members in another order',
    'FEXoDiYkzhYrN7AmawSNjTFpjWSuxOXUu3FaK9+6wlhMdPgficw4k49RaveJunS6IyRPsAwfDqfdrLMcfewiDQ==',
  ),
  invalid(
    'a text with a blank',
    'BA3bziFX3v0HAWISq9YdCArDI0PbyefLgBzpgoGdzTYB0RGUI+eUMbMszGEM/uJvpO7c/rl/UVp8wlVIn3v+BA==',
  ),
  invalid('another code', 'UggdnqizSILNVfwN5G2k5rnOibVaPmE6jW5pdSvwQIQUddB8A0UzHLg+aPft/IollTmqnFMVHWrLVxX17yxqBA=='),
  invalid(
    'the secret alone',
    'K/ERm5UL2hKo8fVuPFijJWqhwRZMZ9F5E86U38TQYXfYDdvdkQ0iwc4vGPYh3gxJVsYOmrUeq59OK5gKiZCNCw==',
  ),
  invalid(
    'a text with the signature',
    'f5rEJHIhRT80in759NwcK+L0+Um3R7sclLvJoIS4Q8C1NLxb2eOvBlVEOtHv6DVEV9oiTlmWRHKRUE+KVEaMCg==',
  ),
]

/** Bodies of another shape, which are refused before the code is looked up. */
const otherShapes: readonly InvitationCase[] = [
  malformed('no code', '/code', { code: undefined }),
  malformed('a code with a blank', '/code', { code: `${code} ` }),
  malformed('a code of another version', '/code', { code: code.replace('svcd1', 'svcd2') }),
  malformed('a code in lower case', '/code', { code: code.toLowerCase().replace('svcd1-0', 'svcd1-') }),
  malformed('a code that is too long', '/code', { code: `${code}0` }),
  malformed('a key in upper case', '/publicKey', { publicKey: publicKey.toUpperCase() }),
  malformed('a key id in place of the key', '/publicKey', { publicKey: `ed25519:${publicKey}` }),
  malformed('no signature', '/signature', { signature: undefined }),
  malformed('a signature of 63 bytes', '/signature', { signature: `${'A'.repeat(84)}` }),
  malformed('a signature in the alphabet of addresses', '/signature', {
    signature: signed.signature.replaceAll('+', '-').replaceAll('/', '_'),
  }),
  malformed('the context, which is not sent', '/', { context: 'svc-device-invite-1' }),
  malformed('a scope, which the invitation has', '/', { scopes: ['kbd-control:*'] }),
]

/** All requests, each for a new invitation. */
export const invitationCases: readonly InvitationCase[] = [
  { name: 'the signed text', body: text({}), answer: '201' },
  {
    name: 'members in another order',
    body: JSON.stringify({ signature: whole.signature, publicKey, code }),
    answer: '201',
  },
  { name: 'a signature without padding', body: text({ signature: signed.signature.replace('==', '') }), answer: '201' },
  ...otherTexts,
  ...otherShapes,
  {
    name: 'a key of small order, for which many signatures hold',
    body: text({ publicKey: `01${'00'.repeat(31)}`, signature: `${'A'.repeat(86)}==` }),
    answer: '403 invitation_invalid',
  },
  { name: 'a member twice', body: text({}).replace('{', `{"code":"${code}",`), answer: '400 canonicalization_failed' },
  { name: 'a text that is not JSON', body: '{', answer: '400 malformed_json' },
]
