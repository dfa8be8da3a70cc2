/** The token that comparisons call services with. */
import { createHmac } from 'node:crypto'

/** The secret of the tokens, for `SVC_SECURITY__JWT_SECRET`. */
export const SECRET = 'a secret of the benchmark, long enough for it'

/** The authorization header of user `bench` with the scope to publish, valid for a day. */
export function bearer(): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(Date.now() / 1_000) + 86_400
  const claims = { sub: 'bench', tenant_id: 'bench', scope: 'live:publish', exp }
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  return `Authorization: Bearer ${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`
}

/**
 * Calls a service as that user.
 * @throws Error if the answer is not a success
 */
export async function call(port: number, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const authorization = bearer().replace(/^.*?: /, '')
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization, 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status} ${text}`)
  return JSON.parse(text) as Record<string, unknown>
}
