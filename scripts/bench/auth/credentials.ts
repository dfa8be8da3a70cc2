/** The secrets that all servers of the comparison use, and tokens that are signed with them. */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'

/** HS256 secret of all servers. */
export const SECRET = 'the shared secret of the benchmark, over 32 bytes'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** The RSA public key in the two formats that servers accept. */
export const rsa: { readonly pem: string; readonly jwks: string } = {
  pem: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
  jwks: JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'bench', use: 'sig', alg: 'RS256' }] }),
}

/** Authorization headers with `count` different tokens, valid for one hour. */
export function tokenHeaders(alg: 'HS256' | 'RS256', count: number): string[] {
  const now = Math.floor(Date.now() / 1000)
  return Array.from({ length: count }, (_, index) => {
    const claims = { sub: `user-${index}`, tenant_id: 'acme', scope: 'read write', iat: now, exp: now + 3_600 }
    const input = `${part({ alg, typ: 'JWT', kid: 'bench' })}.${part(claims)}`
    const signature =
      alg === 'HS256'
        ? createHmac('sha256', SECRET).update(input).digest('base64url')
        : sign('sha256', Buffer.from(input), privateKey).toString('base64url')
    return `Authorization: Bearer ${input}.${signature}`
  })
}

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
