/** The bytes of a case's request. */
import type { Send } from '../../core/testing/contract.ts'
import { tokenFor } from './caller.ts'

/** Returns the headers and the body of the request of a case. */
export function toWire({ headers = {}, body, as }: Send): {
  headers: Record<string, string>
  body: string | undefined
} {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  return {
    headers: {
      ...(as === undefined ? {} : { authorization: `Bearer ${tokenFor(as)}` }),
      ...(typeof body === 'object' ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    body: text,
  }
}
