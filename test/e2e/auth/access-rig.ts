/**
 * Asks for the cells of the table of docs/authentication.md: callers with their credentials, requests, and what an
 * answer means.
 */
import * as assert from 'uvu/assert'
import type { JsonSchema } from '../../../core/declare/json-schema.ts'
import type { OpenAnswer, Send, Target } from '../../../core/testing/contract.ts'
import type { AccessRow, Cell, Who } from '../../../scripts/renew/access-table.ts'
import { tokenFor } from '../../conformance/caller.ts'

/** The user who calls, the user whom requests name, and the user for whom an acting token is. */
const [CALLER, OTHER, SUBJECT] = ['ada', 'bob', 'cid']

/** What path parameters are, by name; `none` for all others. The settings of the test have the topic and the agent. */
const PARAMETERS: Readonly<Record<string, string>> = { topic: 'notes', agent: 'echo' }

const KEYS = '/api/svc/auth/keys'

/** A credential, as headers. */
export type Headers = Readonly<Record<string, string>>

/** A request for a row, without a credential. */
function requestOf({ route, others, request }: AccessRow): Send {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => PARAMETERS[name] ?? 'none')
  const query = others?.in === 'query' ? `?${new URLSearchParams({ [others.name]: OTHER })}` : ''
  const json = route.body === undefined || route.body.type === 'application/json'
  const sample = request === undefined ? {} : sampleOf(request)
  const body = others?.in === 'body' ? { ...(sample as object), [others.name]: OTHER } : sample
  return {
    method: route.method,
    path: path + query,
    ...(route.body !== undefined && { body: json ? body : 'none' }),
    ...(!json && { headers: { 'content-type': route.body!.type } }),
  }
}

/** The smallest value of a schema. */
function sampleOf(schema: JsonSchema): unknown {
  const { enum: values, anyOf = [], properties = {}, required = [], type } = schema
  if (schema.const !== undefined) return schema.const
  if (values !== undefined) return values[0]
  if (anyOf.length > 0) return sampleOf(anyOf[0]!)
  if (properties && (type === 'object' || type === undefined))
    return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]))
  if (type === 'array') return []
  return type === 'string' ? 'none' : (schema.minimum ?? 0)
}

/** Sends a request and says which cell its answer is. */
export async function cellSeen(target: Target, row: AccessRow, headers: Headers): Promise<Cell> {
  const send = requestOf(row)
  const { status, code } = await ask(target, { ...send, headers: { ...send.headers, ...headers } })
  if (status === 401 && /^(?:credential_|api_key_)/.test(code)) return '401'
  if (status === 403 && (code === 'forbidden' || code === 'transport_forbidden')) return '403'
  // Whether there is no such route or no such thing: a known path has other methods, which are refused as such.
  if (status === 404 && (await ask(target, { method: 'PATCH', path: send.path, headers })).status === 404) return '404'
  // These say nothing about the caller.
  if (status === 429 || status === 500 || code.startsWith('token_'))
    throw new Error(`${send.method} ${send.path}: ${status} ${code}`)
  return 'yes'
}

async function ask(target: Target, send: Send): Promise<{ readonly status: number; readonly code: string }> {
  const answer = await target.open(send)
  const text = answer.headers['content-type']?.startsWith('text/event-stream') === true ? '' : await readAll(answer)
  answer.close()
  const isJson = answer.headers['content-type']?.startsWith('application/json') === true
  const { error } = isJson && text !== '' ? (JSON.parse(text) as { error?: { code?: string } }) : { error: undefined }
  return { status: answer.status, code: error?.code ?? '' }
}

async function readAll(answer: OpenAnswer): Promise<string> {
  let text = ''
  for (let piece = await answer.next(); piece !== undefined; piece = await answer.next()) text += piece
  return text
}

/** The credentials of a caller on a service: each must get the same answer. */
export type Credentials = (who: Who, row: AccessRow) => Promise<readonly Headers[]>

/**
 * Credentials for the runtime surface: a token, and for a caller with what the row needs a key as well. A key is made
 * once for the same scopes, because its hash is expensive.
 */
export function createCredentials(target: Target): Credentials {
  const keys = new Map<string, Promise<string>>()
  const keyWith = (scopes: readonly string[]): Promise<string> => {
    const name = scopes.join(' ')
    if (!keys.has(name)) keys.set(name, makeKey(target, scopes))
    return keys.get(name)!
  }
  let acting: Promise<Headers> | undefined
  return async (who, row) => {
    if (who.credential === 'none' || who.credential === 'anonymous') return [{}]
    if (who.credential === 'acting') return [await (acting ??= actingToken(target, await keyWith(['svc:act'])))]
    const scopes = who.scopes === 'needed' ? row.needs : (who.scopes ?? [])
    const byToken = bearer(scopes)
    const isKeyOnly = row.access.credential === 'key'
    if (!isKeyOnly && (who.scopes !== 'needed' || who.undelegated)) return [byToken]
    const byKey = { 'x-api-key': await keyWith(scopes) }
    return isKeyOnly ? [byKey] : [byToken, byKey]
  }
}

const bearer = (scopes: readonly string[]): Headers => ({
  authorization: `Bearer ${tokenFor({ user: CALLER, scopes })}`,
})

async function makeKey(target: Target, scopes: readonly string[]): Promise<string> {
  const body = { name: 'access', scopes }
  const answer = await target.request({ method: 'POST', path: KEYS, headers: bearer(scopes), body })
  assert.is(answer.status, 201, answer.text)
  return (answer.json() as { key: string }).key
}

async function actingToken(target: Target, key: string): Promise<Headers> {
  const send = { method: 'POST', path: '/api/svc/auth/exchange', headers: { 'x-api-key': key } }
  const answer = await target.request({ ...send, body: { subject: SUBJECT } })
  assert.is(answer.status, 200, answer.text)
  return { authorization: `Bearer ${(answer.json() as { access_token: string }).access_token}` }
}
