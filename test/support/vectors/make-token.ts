/** Keys, and tokens that are signed with them or damaged. */
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** A JSON Web Key (RFC 7517). */
export type Jwk = Readonly<Record<string, unknown>>

/** The keys of the cases of our own. They are made anew in each process. */
export interface Keys {
  readonly rsa: KeyObject
  readonly jwk: Jwk
  readonly strange: KeyObject
  readonly strangeJwk: Jwk
  readonly small: KeyObject
  readonly smallJwk: Jwk
  readonly secret: Buffer
}

/** Makes the keys. */
export function makeKeys(): Keys {
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

/** A part of a token: base64url of a text, or of the JSON of another value. */
export const encode = (part: unknown): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')

/** Signs a token. A header or a payload that is a text is taken as it is. */
export function make(header: unknown, payload: unknown, key: KeyObject | Buffer): string {
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
export function damaged(token: string): Readonly<Record<string, string>> {
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
