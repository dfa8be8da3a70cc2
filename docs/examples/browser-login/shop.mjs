/** What the three servers share: the shop's own login, and its calls of the service with its acting key. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

/** Address of the service, the key of the shop, seconds and scopes of a token, milliseconds of a step of an order. */
const { SVC_URL, SHOP_KEY, TOKEN_SECONDS = '300', TOKEN_SCOPE = '', STEP_MS = '2000' } = process.env

/** Stands for your own login. */
const passwords = new Map([
  ['ada', 'analytical'],
  ['alan', 'enigma'],
])
/** By the text of the cookie: the user, and the tokens that the session has got, by `jti` with their end. */
const sessions = new Map()

export const page = readFileSync(new URL('page.html', import.meta.url), 'utf8').replace('SVC_URL', SVC_URL)
export const client = readFileSync(new URL(import.meta.resolve('svc/client')), 'utf8')

/** The id of the session of a request, by its header `Cookie`. */
export const sessionOf = (header = '') => /(?:^|; )session=([\w-]+)/.exec(header)?.[1]

/** The header `Set-Cookie`: scripts cannot read the cookie, and other sites cannot use it. An empty id removes it. */
export const cookieOf = (id) =>
  `session=${id}; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=${id === '' ? 0 : 86_400}`

/** Logs a user in. Returns the id of the session; undefined if the password is wrong. */
export function login({ user, password }) {
  if (typeof password !== 'string' || passwords.get(user) !== password) return undefined
  const id = randomBytes(32).toString('base64url')
  sessions.set(id, { user, tokens: new Map() })
  return id
}

/** A short token of the session's user, for the page; undefined without a session. */
export async function token(id) {
  const session = sessions.get(id)
  if (session === undefined) return undefined
  const body = { subject: session.user, scope: TOKEN_SCOPE, expires_in: Number(TOKEN_SECONDS) }
  const { access_token, expires_in } = await call('/api/svc/auth/exchange', body)
  const { jti } = JSON.parse(Buffer.from(access_token.split('.')[1], 'base64url').toString())
  for (const [one, endMs] of session.tokens) if (endMs < Date.now()) session.tokens.delete(one)
  session.tokens.set(jti, Date.now() + expires_in * 1000)
  if (sessions.has(id)) return { access_token, expires_in }
  // The user has logged out meanwhile.
  await revoke(session)
  return undefined
}

/** Ends a session, its tokens, and the streams that were opened with them. */
export async function logout(id) {
  const session = sessions.get(id)
  sessions.delete(id)
  if (session !== undefined) await revoke(session)
}

const revoke = ({ user, tokens }) =>
  Promise.all([...tokens.keys()].map((jti) => call('/api/svc/auth/revocations', { user_id: user, jti })))

/** Takes an order: a run of the user, to which the shop appends. Returns its id; undefined without a session. */
export async function order(id) {
  const session = sessions.get(id)
  if (session === undefined) return undefined
  const query = `?${new URLSearchParams({ user: session.user })}`
  const { run_id: runId, thread_id: threadId } = await call(`/api/svc/runs${query}`, {})
  const append = (event) => call(`/api/svc/runs/${runId}/events${query}`, event)
  await append({ type: 'RUN_STARTED', threadId, runId })
  const deliver = async () => {
    for (const value of ['packed', 'sent', 'delivered']) {
      await setTimeout(Number(STEP_MS))
      await append({ type: 'CUSTOM', name: 'step', value })
    }
    await append({ type: 'RUN_FINISHED', threadId, runId })
  }
  deliver().catch(console.error)
  return { runId }
}

/** Calls the service with the key of the shop, which never leaves the backend. */
async function call(path, body) {
  const headers = { 'X-API-Key': SHOP_KEY, 'Content-Type': 'application/json' }
  const response = await fetch(SVC_URL + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${answer.error.code}: ${answer.error.message}`)
  return answer
}
