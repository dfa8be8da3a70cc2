/** A runtime surface with authentication, in this process, with a clock that the test controls. */

import * as assert from 'uvu/assert'
import { definePlugin, type Plugin } from '../../../core/declare/plugin.ts'
import type { FetchHandler } from '../../../core/http/fetch.ts'
import { json } from '../../../core/http/reply.ts'
import type { RouteSpec } from '../../../core/http/route.ts'
import type { KernelOptions } from '../../../core/kernel/compose.ts'
import { createKernel, type Kernel } from '../../../core/kernel/kernel.ts'
import type { LogRecord } from '../../../core/kernel/log.ts'
import type { ReadSecretFile } from '../../../core/kernel/settings/secret-files.ts'
import { feature as keys } from '../../../plugins/auth/api-keys/feature.ts'
import { variant as inPlace } from '../../../plugins/auth/api-keys/in-place.ts'
import { createKeyText } from '../../../plugins/auth/api-keys/key-text/key-text.ts'
import { createNodeCryptoProvider } from '../../../plugins/auth/crypto/node.ts'
import { feature as exchanging } from '../../../plugins/auth/exchange/feature.ts'
import { feature as guard } from '../../../plugins/auth/guard/feature.ts'
import { variant as onNode } from '../../../plugins/auth/guard/node.ts'
import { feature as jwks } from '../../../plugins/auth/jwks/feature.ts'
import { feature as jwt } from '../../../plugins/auth/jwt/feature.ts'
import { feature as revocations } from '../../../plugins/auth/revocations/feature.ts'
import { mintToken } from '../../../plugins/auth/token/mint.ts'
import { feature as probes } from '../../../plugins/probes/feature.ts'
import { feature as transport } from '../../../plugins/transport/fetch/feature.ts'
import { openPaths, testManifest } from '../../support/kernels.ts'
import { nodes } from '../../support/nodes.ts'

const SECRET = 'a secret of the tests, longer than 32 bytes'
export const START_MS = 1_700_000_000_000

/** The longest time in which a revocation reaches every node, in milliseconds. */
const REVOKED_MS = 1_000

/** A running service under test. If it has several nodes, each request goes to the next node. */
export interface Service {
  readonly kernel: Kernel
  /** The settings as they are in its configuration. */
  readonly config: Readonly<Record<string, unknown>>
  readonly records: readonly LogRecord[]
  /** Sends a request; `as` is a bearer token, `key` an API key. */
  send(path: string, options?: SendOptions): Promise<Answer>
  /** Signs a token with the configured secret. The claims override valid defaults. */
  token(claims?: Readonly<Record<string, unknown>>, header?: Readonly<Record<string, string>>): Promise<string>
  /** Lets time pass. */
  advance(ms: number): void
  /** Moves the wall clock back or forward, without any passing time. */
  setClock(byMs: number): void
  /** The time of the wall clock, in Unix milliseconds. */
  nowMs(): number
  /** The `Fetch` capability, for requests that `send` does not make. */
  readonly fetch: FetchHandler
  stop(): Promise<void>
}

interface SendOptions {
  readonly method?: string
  readonly as?: string
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** The address of the client that the host gives. */
  readonly address?: string
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
  /** `error.code` of the envelope. */
  readonly code: string | undefined
}

const whoami: RouteSpec = { surface: 'runtime', method: 'GET', path: '/whoami', summary: 'The identity of the caller.' }

const mirror: Plugin = definePlugin({
  name: 'mirror',
  feature: 'mirror',
  routes: [whoami],
  setup: (ctx) => ctx.route(whoami, (request) => json(200, { ...request.identity })),
})

/** All features of authentication, with Argon2 in the same thread. */
export const allFeatures: readonly Plugin[] = [
  guard.with(onNode),
  jwt,
  jwks,
  keys.with(inPlace),
  exchanging,
  revocations,
]

/** Settings of a cheap Argon2, so that tests are fast. */
const cheap: Readonly<Record<string, unknown>> = {
  'security.argon2_memory_kib': 64,
  'security.argon2_iterations': 1,
}

export const KEYS = '/api/svc/auth/keys'
export const EXCHANGE = '/api/svc/auth/exchange'

/** Runs with a service, and stops it. */
export async function within(
  settings: Readonly<Record<string, unknown>>,
  run: (service: Service) => Promise<void>,
  plugins: readonly Plugin[] = allFeatures,
): Promise<void> {
  const service = await startService(settings, plugins)
  try {
    await run(service)
  } finally {
    await service.stop()
  }
}

/** A key that was made. */
export interface Made {
  readonly key: string
  readonly record: Readonly<Record<string, unknown>> & { readonly id: string }
}

/** Makes a key with a token of these claims. */
export async function createKey(service: Service, claims: object = {}, wish: object = {}): Promise<Made> {
  const as = await service.token({ ...claims })
  const answer = await service.send(KEYS, { method: 'POST', as, body: { name: 'x', ...wish } })
  assert.is(answer.status, 201, answer.text)
  return answer.body as unknown as Made
}

/** Exchanges a key for a token. */
export async function exchange(service: Service, key: string, body?: object): Promise<string> {
  const answer = await service.send(EXCHANGE, { method: 'POST', key, ...(body !== undefined && { body }) })
  assert.is(answer.status, 200, answer.text)
  return String(answer.body['access_token'])
}

/** A key of the right form with the id of `key` and another secret. */
export function wrongSecret(key: string): string {
  return createKeyText((length) => crypto.getRandomValues(new Uint8Array(length)), key.slice(4, 20)).text
}

/** Starts a service at a time in Unix milliseconds. The settings, by full key, override valid defaults. */
export async function startService(
  settings: Readonly<Record<string, unknown>> = {},
  plugins: readonly Plugin[] = allFeatures,
  startMs: number = START_MS,
  readSecret?: ReadSecretFile,
): Promise<Service> {
  let nowMs = startMs
  let elapsedMs = 0
  const records: LogRecord[] = []
  const joined = nodes()
  const given = {
    ...(await joined.settings()),
    ...(plugins.some(({ name }) => name === keys.name) ? cheap : {}),
    ...settings,
  }
  if (plugins.includes(jwt) && !('security.jwt_secret' in given))
    Object.assign(given, { 'security.jwt_secret': SECRET })
  const config = Object.fromEntries(Object.entries(given).filter(([, v]) => v !== null))
  const options: KernelOptions = {
    settings: { config: { name: 'test', value: config }, ...(readSecret && { readSecret }) },
    log: { enabled: () => true, write: (record) => void records.push(record) },
    environment: {
      clock: {
        now: () => nowMs,
        monotonic: () => elapsedMs,
        setTimeout: globalThis.setTimeout,
        clearTimeout: (t) => clearTimeout(t as never),
      },
    },
  }
  const registry = {
    manifest: testManifest,
    plugins: [...plugins, ...joined.plugins, mirror, probes, transport],
    storeParts: [],
    absent: { settings: {}, capabilities: {} },
    open: openPaths,
  }
  const kernels = Array.from({ length: joined.count }, () => createKernel(registry, options))
  await Promise.all(kernels.map((kernel) => kernel.start()))
  const handlers = kernels.map((kernel): FetchHandler => kernel.capability('Fetch'))
  let turn = 0
  const fetch: FetchHandler = (...request) => handlers[turn++ % handlers.length]!(...request)
  const secret = createNodeCryptoProvider().hmacKey(new TextEncoder().encode(SECRET))
  return {
    kernel: kernels[0]!,
    config,
    records,
    fetch,
    send: async (path, { method = 'GET', as, key, headers = {}, body, address } = {}) => {
      const response = await fetch(
        new Request(`http://svc.test${path}`, {
          method,
          headers: {
            ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
            ...(key === undefined ? {} : { 'x-api-key': key }),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
        address === undefined ? {} : { address },
      )
      const text = await response.text()
      const isRevocation = method === 'DELETE' || (method === 'POST' && path.endsWith('/revocations'))
      if (isRevocation && joined.count > 1) await new Promise((resolve) => setTimeout(resolve, REVOKED_MS))
      const parsed = (text === '' ? {} : JSON.parse(text)) as { error?: { code?: string } }
      return { status: response.status, headers: response.headers, text, body: { ...parsed }, code: parsed.error?.code }
    },
    token: async (claims = {}, header = {}) =>
      mintToken(secret, header, { sub: 'ada', iat: nowMs / 1000, exp: nowMs / 1000 + 3_600, ...claims }),
    advance: (ms) => {
      nowMs += ms
      elapsedMs += ms
    },
    nowMs: () => nowMs,
    setClock: (byMs) => {
      nowMs += byMs
    },
    stop: async () => void (await Promise.all(kernels.map((kernel) => kernel.stop()))),
  }
}
