/** JWS, JWK and JWT: the examples of RFC 7515, forged tokens of our own, and the collections. */
import { collected, readCollected } from './collections.ts'
import { damaged, type Jwk, type Keys, make, makeKeys } from './make-token.ts'
import { type TokenFile, tokens } from './tokens.ts'

/** A token in compact serialization, the keys that may verify it, and whether one does. */
export interface JwsCase {
  readonly name: string
  readonly jws: unknown
  readonly keys: readonly Jwk[]
  readonly valid: boolean
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
 * The rows of a collection with a verdict. Rows with a note have none; two rows have lost the padding that they test,
 * so that their text equals that of a valid row; and the service never reads secrets from a key set.
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
