/** A JWKS endpoint on this machine. The test controls its answers. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An RSA key that signs tokens for an issuer. */
export interface IssuerKey {
  readonly kid: string
  readonly jwk: Readonly<Record<string, unknown>>
  /** An RS256 token of this key. */
  token(claims: Readonly<Record<string, unknown>>, header?: Readonly<Record<string, unknown>>): string
}

/** Answers one request for the key set. */
export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void

/** The endpoint. */
export interface KeyEndpoint {
  readonly url: string
  /** The number of requests that the endpoint got. */
  readonly fetches: number
  behave(behaviour: Behaviour): void
  stop(): Promise<void>
}

export function createIssuerKey(kid: string): IssuerKey {
  const { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
  })
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return {
    kid,
    jwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' },
    token: (claims, header = {}) => {
      const input = `${part({ alg: 'RS256', kid, ...header })}.${part(claims)}`
      return `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`
    },
  }
}

/** Answers with a set of these keys. */
export function serveKeys(...keys: readonly IssuerKey[]): Behaviour {
  const body = JSON.stringify({ keys: keys.map(({ jwk }) => jwk) })
  return (_request, response) => void response.setHeader('content-type', 'application/jwk-set+json').end(body)
}

/** Starts the endpoint on a free port. */
export async function startKeyEndpoint(first: Behaviour): Promise<KeyEndpoint> {
  let behaviour = first
  let fetches = 0
  const server = createServer((request, response) => {
    fetches++
    behaviour(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/jwks.json`,
    get fetches() {
      return fetches
    },
    behave: (next) => {
      behaviour = next
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
