/** Tokens for one service, most of them forged. */
import type { KeyObject } from 'node:crypto'
import { damaged, encode, type Jwk, type Keys, make } from './make-token.ts'

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

const NOW = 1_700_000_000

/** The tokens of our own. */
export function tokens({ rsa, jwk, strange, strangeJwk, secret }: Keys): TokenFile {
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
      ...{
        'a list of audiences': { aud: ['x', 'api'] },
        'a list of scopes': { scope: ['a', 'b c'] },
        'nbf in the past': { nbf: NOW - 1 },
        'nbf now': { nbf: NOW },
      },
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
      ...{ 'an empty tenant': { tenant_id: '' }, 'scope: a list of numbers': { scope: [1] } },
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
