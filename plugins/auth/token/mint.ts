import type { Awaitable } from '../../../core/awaitable.ts'
import { encodeBase64url } from '../../../core/base64url.ts'
import type { HmacKey } from '../crypto/provider.ts'

/** Signs `claims` as a compact JWS with HS256. `header` has further members of the header. */
export function mintToken(
  key: HmacKey,
  header: Readonly<Record<string, string>>,
  claims: Readonly<Record<string, unknown>>,
): Awaitable<string> {
  const input = `${encodeJson({ alg: 'HS256', ...header })}.${encodeJson(claims)}`
  const mac = key.sign(input)
  return mac instanceof Promise ? mac.then((text) => `${input}.${text}`) : `${input}.${mac}`
}

function encodeJson(value: unknown): string {
  return encodeBase64url(new TextEncoder().encode(JSON.stringify(value)))
}
