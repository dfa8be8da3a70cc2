/** JWS, JWK and JWT: the examples of RFC 7515, forged tokens of our own, and the collections. */
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { collected, readCollected } from './collections.ts'

/** A JSON Web Key (RFC 7517). */
export type Jwk = Readonly<Record<string, unknown>>

/** A token in compact serialization, the keys that may verify it, and whether one does. */
export interface JwsCase {
  readonly name: string
  readonly jws: unknown
  readonly keys: readonly Jwk[]
  readonly valid: boolean
}

/** Tokens for one service: its clock in seconds, its settings, its keys. */
export interface TokenFile {
  readonly policy: {
    readonly now: number
    readonly iss: string
    readonly aud: string
    readonly verifier_rs: { readonly jwks: object }
    readonly verifier_hs: { readonly jwks: { readonly keys: readonly Jwk[] } }
  }
  readonly cases: readonly {
    readonly name: string
    readonly verifier: 'rs' | 'hs'
    /** Anything else than `accept` and `reject` is no verdict. */
    readonly expected: string
    readonly token: string
  }[]
}

/** All cases, as data that a suite on another runtime can read. */
export interface JoseCases {
  readonly jws: readonly JwsCase[]
  readonly jwk: readonly JwsCase[]
  readonly tokens: readonly TokenFile[]
}

/** Makes the cases of our own and reads the collections. */
export function joseCases(): JoseCases {
  const keys = makeKeys()
  const collection = readCollected<TokenFile>('jwt/malicious_authored.json')
  return {
    jws: [...rfc7515, ...signatures(keys), ...wycheproof('wycheproof_jws'), ...wycheproof('wycheproof_jwcrypto_jws')],
    jwk: [...keySets(keys), ...wycheproof('wycheproof_jwk')],
    tokens: [tokens(keys), ...(collection === undefined ? [] : [collection])],
  }
}

const rfc7515: readonly JwsCase[] = [
  {
    name: 'RFC 7515 A.1',
    jws: 'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    keys: [
      {
        kty: 'oct',
        alg: 'HS256',
        k: 'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
      },
    ],
    valid: true,
  },
  {
    name: 'RFC 7515 A.2',
    jws: 'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw',
    keys: [
      {
        kty: 'RSA',
        alg: 'RS256',
        n: 'ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ',
        e: 'AQAB',
      },
    ],
    valid: true,
  },
  {
    name: 'RFC 7515 A.5',
    jws: 'eyJhbGciOiJub25lIn0.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.',
    keys: [{ kty: 'oct', alg: 'none', k: '' }],
    valid: false,
  },
]

/** The keys of the cases of our own. They are made anew in each process. */
interface Keys {
  readonly rsa: KeyObject
  readonly jwk: Jwk
  readonly strange: KeyObject
  readonly strangeJwk: Jwk
  readonly small: KeyObject
  readonly smallJwk: Jwk
  readonly secret: Buffer
}

function makeKeys(): Keys {
  const pair = (modulusLength: number): { key: KeyObject; jwk: Jwk } => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength })
    return { key: privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'own' } }
  }
  const [own, strange, small] = [pair(2_048), pair(2_048), pair(1_024)]
  return {
    ...{ rsa: own.key, jwk: own.jwk, strange: strange.key, strangeJwk: strange.jwk },
    ...{ small: small.key, smallJwk: small.jwk, secret: Buffer.from('a secret of more than thirty-two bytes') },
  }
}

const encode = (part: unknown): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')

/** Signs a token. A header or a payload that is a text is taken as it is. */
function make(header: unknown, payload: unknown, key: KeyObject | Buffer): string {
  const input = `${encode(header)}.${encode(payload)}`
  const signature = Buffer.isBuffer(key)
    ? createHmac('sha256', key).update(input).digest()
    : sign('sha256', Buffer.from(input), key)
  return `${input}.${signature.toString('base64url')}`
}

/** The last digit of a base64url text with its unused bits set. The decoded bytes stay the same. */
function withUnusedBits(text: string): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return text.slice(0, -1) + digits[digits.indexOf(text.slice(-1)) + 1]
}

/** Texts that differ from a valid token, most of them only in how they are written. */
function damaged(token: string): Readonly<Record<string, string>> {
  const [header = '', payload = '', signature = ''] = token.split('.')
  return {
    'no signature': `${header}.${payload}.`,
    'two segments': `${header}.${payload}`,
    'four segments': `${token}.`,
    'five segments': `${token}.a.b`,
    'no header': `.${payload}.${signature}`,
    'no payload': `${header}..${signature}`,
    nothing: '',
    'two dots': '..',
    'a blank in front': ` ${token}`,
    'a line end behind': `${token}\n`,
    'a line end inside': `${header}.${payload}.\n${signature}`,
    padding: `${token}=`,
    'padding in the header': `${header}=.${payload}.${signature}`,
    'digits of base64': `${header}.${payload}.${signature.slice(0, -4)}+/+/`,
    'unused bits': `${header}.${payload}.${withUnusedBits(signature)}`,
    'a short signature': `${header}.${payload}.${signature.slice(0, -4)}`,
    'a long signature': `${header}.${payload}.${signature}AAAA`,
    'another first byte': `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    zeros: `${header}.${payload}.${'A'.repeat(signature.length)}`,
    'another payload': `${header}.${encode({ iss: 'eve' })}.${signature}`,
    'JSON serialization': JSON.stringify({ protected: header, payload, signature }),
  }
}

function signatures({ rsa, jwk, strange, secret }: Keys): readonly JwsCase[] {
  const oct: Jwk = { kty: 'oct', alg: 'HS256', kid: 'own', k: secret.toString('base64url') }
  const header = (alg: unknown): object => ({ alg, kid: 'own' })
  const judged = (name: string, jws: string, key: Jwk, valid = false): JwsCase => ({ name, jws, keys: [key], valid })
  const kinds = [
    ['RS256', jwk, rsa],
    ['HS256', oct, secret],
  ] as const
  return kinds.flatMap(([alg, key, by]) => {
    const token = make(header(alg), { sub: 'ada' }, by)
    const other = alg === 'RS256' ? 'HS256' : 'RS256'
    return [
      judged(`${alg}: valid`, token, key, true),
      judged(`${alg}: an empty payload`, make(header(alg), '', by), key, true),
      ...Object.entries(damaged(token)).map(([name, text]) => judged(`${alg}: ${name}`, text, key)),
      judged(`${alg}: another key`, make(header(alg), {}, alg === 'RS256' ? strange : Buffer.from('other')), key),
      ...[other, alg.toLowerCase(), `${alg} `, 'none', '', 1, null, [alg]].map((name) =>
        judged(`${alg}: the header says ${JSON.stringify(name)}`, make(header(name), {}, by), key),
      ),
      judged(`${alg}: a header that is a list`, make([header(alg)], {}, by), key),
      judged(`${alg}: two algorithms`, make(`{"kid":"own","alg":"${alg}","alg":"${alg}"}`, {}, by), key),
      judged(`${alg}: crit`, make({ ...header(alg), crit: ['exp'], exp: 1 }, {}, by), key),
    ]
  })
}

function keySets({ rsa, jwk, strangeJwk, small, smallJwk, secret }: Keys): readonly JwsCase[] {
  const token = make({ alg: 'RS256', kid: 'own' }, {}, rsa)
  const other = { ...strangeJwk, kid: 'other' }
  const judged = (name: string, keys: readonly Jwk[], valid = false, jws = token): JwsCase => ({
    ...{ name, jws, keys, valid },
  })
  const short = secret.subarray(0, 16)
  const { d, p, q, dp, dq, qi } = rsa.export({ format: 'jwk' })
  return [
    judged('one key', [jwk], true),
    judged('two keys', [other, jwk], true),
    judged('key_ops with verify', [{ ...jwk, key_ops: ['verify'] }], true),
    judged('unknown members', [{ ...jwk, x5t: 'x', more: {} }], true),
    judged('another key', [other]),
    judged('another key of the same kid', [strangeJwk]),
    judged('one kid twice', [jwk, strangeJwk]),
    judged('one key twice', [jwk, jwk]),
    judged('a token without kid', [jwk, other], false, make({ alg: 'RS256' }, {}, rsa)),
    judged('for encryption', [{ ...jwk, use: 'enc' }]),
    judged('for another algorithm', [{ ...jwk, alg: 'RS512' }]),
    judged('only to sign', [{ ...jwk, key_ops: ['sign'] }]),
    judged('another kind', [{ ...jwk, kty: 'EC' }]),
    judged('no kind', [{ ...jwk, kty: undefined }]),
    judged('a published private key', [{ ...jwk, d, p, q, dp, dq, qi }]),
    judged('exponent 1', [{ ...jwk, e: 'AQ' }]),
    judged('an even exponent', [{ ...jwk, e: 'Ag' }]),
    judged('no exponent', [{ ...jwk, e: '' }]),
    judged('a modulus with padding', [{ ...jwk, n: `${jwk['n']}==` }]),
    judged('a modulus that is a number', [{ ...jwk, n: 3 }]),
    judged('1024 bits', [smallJwk], false, make({ alg: 'RS256', kid: 'own' }, {}, small)),
    judged(
      'a secret of 16 bytes',
      [{ kty: 'oct', alg: 'HS256', k: short.toString('base64url') }],
      false,
      make({ alg: 'HS256' }, {}, short),
    ),
  ]
}

const NOW = 1_700_000_000

function tokens({ rsa, jwk, strange, strangeJwk, secret }: Keys): TokenFile {
  const claims = { iss: 'https://issuer.test', aud: 'api', sub: 'ada', exp: NOW + 600 }
  const header = { alg: 'RS256', kid: 'own' }
  const pem = Buffer.from(`${jwk['n']}`)
  const cases: TokenFile['cases'][number][] = []
  const add = (verifier: 'rs' | 'hs', expected: string, rows: Readonly<Record<string, string>>): void => {
    for (const [name, token] of Object.entries(rows)) cases.push({ name, verifier, expected, token })
  }
  const headers = (rows: Readonly<Record<string, unknown>>, key: KeyObject | Buffer = rsa): Record<string, string> =>
    Object.fromEntries(Object.entries(rows).map(([name, one]) => [name, make(one, claims, key)]))
  const payloads = (rows: Readonly<Record<string, unknown>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(rows).map(([name, one]) => [
        name,
        make(header, typeof one === 'string' ? one : { ...claims, ...(one as object) }, rsa),
      ]),
    )
  add('rs', 'accept', headers({ plain: header, 'an unknown member': { ...header, typ: 'JWT', x5t: 'x' } }))
  add('rs', 'accept', headers({ 'a jku, which nobody fetches': { ...header, jku: 'https://evil.test/keys' } }))
  add('hs', 'accept', { 'by the secret': make({ alg: 'HS256' }, claims, secret) })
  add(
    'rs',
    'accept',
    payloads({
      ...{ 'a list of audiences': { aud: ['x', 'api'] }, 'nbf in the past': { nbf: NOW - 1 }, 'nbf now': { nbf: NOW } },
      ...{
        'one second left': { exp: NOW + 1 },
        'a fraction of a second': { exp: NOW + 0.5 },
        'a tenant': { tenant_id: 't' },
      },
      ...{ scopes: { scope: 'a b' }, 'unknown claims': { __proto__x: {}, admin: true } },
    }),
  )
  add('rs', 'reject', damaged(make(header, claims, rsa)))
  add('hs', 'reject', damaged(make({ alg: 'HS256' }, claims, secret)))
  for (const alg of [
    'none',
    'None',
    'NONE',
    'nOnE',
    '',
    ' none',
    'HS256',
    'HS512',
    'RS384',
    'PS256',
    'ES256',
    'EdDSA',
    7,
    null,
  ])
    add('rs', 'reject', {
      [`alg ${alg}, the signature of RS256`]: make({ ...header, alg }, claims, rsa),
      [`alg ${alg}, no signature`]: `${encode({ ...header, alg })}.${encode(claims)}.`,
      [`alg ${alg}, the public key as a secret`]: make({ ...header, alg }, claims, pem),
    })
  add('hs', 'reject', headers({ 'RS256 where a secret is set': header }))
  add('hs', 'reject', { 'another secret': make({ alg: 'HS256' }, claims, Buffer.alloc(0)) })
  add(
    'rs',
    'reject',
    headers({
      ...{
        'no kid': { alg: 'RS256' },
        'an unknown kid': { ...header, kid: 'x' },
        'an empty kid': { ...header, kid: '' },
      },
      ...{
        'kid: a number': { ...header, kid: 1 },
        'kid: a list': { ...header, kid: ['own'] },
        'kid: null': { ...header, kid: null },
      },
      ...{ 'kid: a path': { ...header, kid: '../../dev/null' }, 'kid: SQL': { ...header, kid: "' OR 1=1 --" } },
      ...{ 'kid: __proto__': { ...header, kid: '__proto__' }, 'kid: with a blank': { ...header, kid: 'own ' } },
      ...{ 'crit: empty': { ...header, crit: [] }, 'crit: b64': { ...header, crit: ['b64'], b64: false } },
      ...{
        'two kids': '{"alg":"RS256","kid":"own","kid":"own"}',
        'a mark in front': `\ufeff${JSON.stringify(header)}`,
      },
      ...{ 'a list': [header], 'a text': '"RS256"', null: 'null', 'no JSON': '{alg:RS256}', 'nothing in it': '{}' },
      'more behind': `${JSON.stringify(header)} {}`,
    }),
  )
  add(
    'rs',
    'reject',
    headers(
      {
        ...{ 'a strange key': header, 'a strange key in jwk': { ...header, jwk: strangeJwk } },
        ...{
          'a strange jku': { ...header, jku: 'https://evil.test/keys' },
          'a strange x5u': { ...header, x5u: 'https://evil.test' },
        },
        'a strange x5c': { ...header, x5c: ['MIIB'] },
      },
      strange,
    ),
  )
  add(
    'rs',
    'reject',
    payloads({
      ...{ 'no exp': { exp: undefined }, 'exp: a text': { exp: `${NOW + 600}` }, 'exp: null': { exp: null } },
      ...{
        'exp now': { exp: NOW },
        'exp in the past': { exp: NOW - 1 },
        'exp: negative': { exp: -1 },
        'exp: a list': { exp: [NOW + 600] },
      },
      ...{
        'nbf in the future': { nbf: NOW + 1 },
        'nbf: a text': { nbf: '0' },
        'nbf: true': { nbf: true },
        'iat: a text': { iat: 'now' },
      },
      ...{
        'no iss': { iss: undefined },
        'another iss': { iss: 'https://issuer.test/' },
        'iss: a list': { iss: ['https://issuer.test'] },
      },
      ...{
        'no aud': { aud: undefined },
        'another aud': { aud: 'API' },
        'aud: a part': { aud: 'api2' },
        'aud: no entry': { aud: [] },
      },
      ...{
        'aud: a list in a list': { aud: [['api']] },
        'aud: an object': { aud: { api: 1 } },
        'aud: others': { aud: ['x', 'y'] },
      },
      ...{
        'no sub': { sub: undefined },
        'an empty sub': { sub: '' },
        'sub: a number': { sub: 1 },
        'tenant: a number': { tenant_id: 1 },
      },
      ...{ 'an empty tenant': { tenant_id: '' }, 'scope: a list': { scope: ['a'] } },
      ...{ 'no JSON': 'x', 'an empty text': '', 'a list': JSON.stringify([claims]), null: 'null', 'a text': '"ada"' },
      'exp twice': `{"exp":1,${JSON.stringify(claims).slice(1)}`,
      'more behind': `${JSON.stringify(claims)},`,
    }),
  )
  const policy = {
    ...{ now: NOW, iss: claims.iss, aud: claims.aud, verifier_rs: { jwks: { keys: [jwk] } } },
    verifier_hs: { jwks: { keys: [{ kty: 'oct', k: secret.toString('base64url') }] } },
  }
  return { policy, cases }
}

interface WycheproofRow {
  readonly name: string
  readonly result: string
  readonly rs256_hs256: boolean
  readonly note?: string
  readonly comment: string
  readonly jws: unknown
  readonly verify_key: Jwk & { readonly keys?: readonly Jwk[] }
}

/**
 * The rows of a collection with a verdict. Rows with a note have none; two rows have lost the padding that they test, so that
 * their text equals that of a valid row; and the service never reads secrets from a key set.
 */
function wycheproof(file: string): readonly JwsCase[] {
  const rows = collected<WycheproofRow>(`jwt/${file}.json`).filter(({ rs256_hs256 }) => rs256_hs256)
  const valid = new Set(rows.filter(({ result }) => result === 'valid').map(({ jws }) => jws))
  return rows
    .filter(({ note }) => note === undefined)
    .filter(({ result, jws, comment }) => result === 'valid' || !valid.has(jws) || !/padding/i.test(comment))
    .filter(({ verify_key }) => verify_key.keys?.some(({ kty }) => kty === 'oct') !== true)
    .map(({ name, jws, verify_key, result }) => ({
      ...{ name: `${file} ${name}`, jws, keys: verify_key.keys ?? [verify_key], valid: result === 'valid' },
    }))
}
