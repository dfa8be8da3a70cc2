/** A shipped program that takes pushes and boards over the network, and users who call it. */
import { createHmac } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { Signer } from '../../unit/sync/platforms.ts'
import { createSigner } from '../../unit/sync/platforms.ts'
import { createNode, type TestNode } from '../kbd/node.ts'

/** An answer. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Readonly<Record<string, unknown>> & {
    readonly error?: { readonly code: string; readonly pushId?: string }
  }
}

/** A user who sends requests with a token. */
export interface User {
  send(method: string, path: string, body?: Uint8Array | string, type?: string): Promise<Answer>
  /** Opens a stream. */
  open(path: string): Promise<Response>
}

/** A node of these tests. */
export interface RemoteNode {
  readonly node: TestNode
  user(name: string, scope: string, tenant?: string): User
  /** The user of a token. */
  bearer(token: string): User
  /** A signer that is enrolled for `kbd-control:demo` and `kbd-content:demo`. */
  device(): Promise<Signer>
  origin(): string
  token(name: string, scope: string, tenant?: string): string
  metrics(): Promise<string>
}

/** Starts a node with additional settings. */
export async function startRemote(more: Readonly<Record<string, string>> = {}): Promise<RemoteNode> {
  const node = createNode({ SVC_SYNC__REMOTE: 'true', ...more })
  const origin = await node.start()
  const secret = node.env['SVC_SECURITY__JWT_SECRET']!
  const token: RemoteNode['token'] = (name, scope, tenant) =>
    tokenOf(secret, { sub: name, scope, ...(tenant && { tenant_id: tenant }) })
  const bearer: RemoteNode['bearer'] = (text) => {
    const authorization = `Bearer ${text}`
    return {
      async send(method, path, body, type = 'application/json') {
        const headers = { authorization, ...(body !== undefined && { 'content-type': type }) }
        const init = { method, headers, ...(body !== undefined && { body: body as BodyInit }) }
        const answer = await fetch(origin + path, init)
        const text = await answer.text()
        const json = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {}
        return { status: answer.status, headers: answer.headers, text, json }
      },
      open: (path) => fetch(origin + path, { headers: { authorization } }),
    }
  }
  return {
    node,
    token,
    origin: () => origin,
    user: (name, scope, tenant) => bearer(token(name, scope, tenant)),
    bearer,
    async device() {
      const signer = createSigner()
      const scopes = ['--scope', 'kbd-control:demo', '--scope', 'kbd-content:demo']
      assert.is(await node.svc('device', 'enroll', '--key', signer.keyId, ...scopes), signer.keyId)
      return signer
    },
    metrics: async () => (await fetch(`${origin}/metrics`)).text(),
  }
}

/** A token of a user, signed with a secret. */
export function tokenOf(secret: string, claims: object): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(Date.now() / 1_000) + 3_600
  const head = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ exp, ...claims })}`
  return `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`
}

/** The status of an answer, and the code of a refusal. */
export function codeOf({ status, json }: Answer): string {
  return `${status} ${json.error?.code ?? ''}`.trim()
}
