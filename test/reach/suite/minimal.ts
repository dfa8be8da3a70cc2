/** The steps of `svc/minimal` and `svc/minimal/single`: tokens, keys, admission of bodies, runs and their streams. */
import { ok, type Step, same } from './runner.ts'

/** The part of the library that the steps use. */
export interface MinimalLibrary {
  readonly manifest: { readonly profile: string }
  createRuntime(options: { settings: object; log?: (entry: object, line: string) => void }): Runtime
}

interface Runtime {
  fetch(request: Request): Promise<Response>
  ready(): Promise<void>
  close(): Promise<void>
}

/** `svc/dev`. */
export interface DevLibrary {
  createDevToken(options: { settings: object; sub: string; tenant?: string; scopes?: string[] }): Promise<string>
}

/** The settings of the runtime, with which `createDevToken` signs. */
export const settings = { security: { jwt_secret: 'a-secret-of-the-reach-suite-of-32-bytes' } }

const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const message = [
  { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'hello' },
  { type: 'TEXT_MESSAGE_END', messageId: 'm' },
]
const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }

/** The request of a step. */
interface Ask {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** The steps, in their order. Later steps use the results of earlier steps. */
export function minimalSteps({ createRuntime, manifest }: MinimalLibrary, { createDevToken }: DevLibrary): Step[] {
  let runtime: Runtime
  let token = ''
  let key = ''
  const ask = (path: string, init: Ask = {}): Promise<Response> =>
    runtime.fetch(new Request(`http://localhost${path}`, init))
  const asAda = (path: string, init: Ask = {}): Promise<Response> =>
    ask(path, { ...init, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } })
  const append = (events: unknown): Promise<Response> =>
    asAda('/api/svc/runs/r/events', { method: 'POST', body: JSON.stringify(events) })
  return [
    { name: 'the manifest names the profile', work: () => same('profile', manifest.profile, 'minimal') },
    {
      name: 'starts',
      work: () => {
        runtime = createRuntime({ settings, log: () => {} })
        return runtime.ready()
      },
    },
    { name: 'answers a probe', work: async () => same('status', (await ask('/health')).status, 200) },
    {
      name: 'refuses a caller without a credential',
      work: async () => same('code', await codeIn(await ask('/api/svc/runs')), [401, 'credential_missing']),
    },
    {
      name: 'accepts a token that svc/dev signs; in a production build svc/dev refuses to sign',
      work: async () => {
        const signed = createDevToken({ settings, sub: 'ada', tenant: 'acme', scopes: ['a'] })
        token = await signed.catch(async (error: { code?: string }) => {
          same('code', error.code, 'ERR_DEV_TOKEN_PRODUCTION')
          return signToken({ sub: 'ada', tenant_id: 'acme', scope: 'a', exp: Math.floor(Date.now() / 1_000) + 600 })
        })
        same('status', (await asAda('/api/svc/runs')).status, 200)
      },
    },
    {
      name: 'refuses the token with another signature',
      work: async () => {
        const position = token.lastIndexOf('.') + 1
        const changed = token.slice(0, position) + (token[position] === 'A' ? 'B' : 'A') + token.slice(position + 1)
        const answer = await ask('/api/svc/runs', { headers: { authorization: `Bearer ${changed}` } })
        same('code', await codeIn(answer), [401, 'token_signature_invalid'])
      },
    },
    {
      name: 'creates an API key',
      work: async () => {
        const answer = await asAda('/api/svc/auth/keys', { method: 'POST', body: '{"name":"reach"}' })
        same('status', answer.status, 201)
        key = ((await answer.json()) as { key: string }).key
      },
    },
    {
      name: 'accepts the key, and refuses another secret',
      work: async () => {
        same('its own', (await ask('/api/svc/runs', { headers: { 'x-api-key': key } })).status, 200)
        const answer = await ask('/api/svc/runs', { headers: { 'x-api-key': `${key.slice(0, -9)}000000000` } })
        same('another', await codeIn(answer), [401, 'api_key_invalid'])
      },
    },
    {
      name: 'refuses a JSON body with a duplicate name',
      work: async () => {
        const answer = await asAda('/api/svc/auth/keys', { method: 'POST', body: '{"name":"a","n\\u0061me":"b"}' })
        same('code', await codeIn(answer), [400, 'malformed_request'])
      },
    },
    {
      name: 'creates a run and accepts events',
      work: async () => {
        same('created', (await asAda('/api/svc/runs', { method: 'POST', body: '{"run_id":"r"}' })).status, 201)
        same('appended', (await append([started])).status, 200)
      },
    },
    {
      name: 'refuses events out of order',
      work: async () => same('code', await codeIn(await append([message[1]])), [409, 'run_event_order']),
    },
    {
      name: 'streams earlier events, then new events, to the end of the run',
      work: async () => {
        const answer = await asAda('/api/svc/runs/r/stream')
        same('status', answer.status, 200)
        const text = readText(answer)
        same('appended', (await append(message)).status, 200)
        same('appended', (await append([finished])).status, 200)
        same('events', dataIn(await text), [started, ...message, finished])
      },
    },
    {
      name: 'resumes after an event',
      work: async () => {
        const answer = await asAda('/api/svc/runs/r/stream?last_event_id=4')
        same('events', dataIn(await readText(answer)), [finished])
      },
    },
    {
      name: 'stops',
      work: async () => {
        await runtime.close()
        same('code', await codeIn(await ask('/health')), [503, 'not_ready'])
      },
    },
  ]
}

async function codeIn(answer: Response): Promise<readonly [number, unknown]> {
  const body = (await answer.json()) as { error?: { code?: unknown } }
  return [answer.status, body.error?.code]
}

async function readText(answer: Response): Promise<string> {
  ok('the stream has a body', answer.body)
  const decoder = new TextDecoder()
  const reader = answer.body!.getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text
    text += decoder.decode(value, { stream: true })
  }
}

/** The parsed JSON of the `data:` lines of an SSE text. */
export function dataIn(text: string): readonly unknown[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)) as unknown)
}

/** Signs a token with HS256 by WebCrypto. */
async function signToken(claims: object): Promise<string> {
  const toText = (bytes: Uint8Array): string =>
    btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (one) => ({ '+': '-', '/': '_' })[one] ?? '')
  const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>
  const part = (value: object): string => toText(encode(JSON.stringify(value)))
  const text = `${part({ alg: 'HS256' })}.${part(claims)}`
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encode(settings.security.jwt_secret), algorithm, false, ['sign'])
  return `${text}.${toText(new Uint8Array(await crypto.subtle.sign('HMAC', key, encode(text))))}`
}
