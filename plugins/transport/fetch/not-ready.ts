/** The answer of a service that is starting or has stopped. */
import { httpFail } from '../../../core/catalogue.ts'
import { errorReply } from '../../../core/http/reply.ts'

/** A 503 `not_ready`. */
export function notReady(): Response {
  const { status, headers, body } = errorReply(httpFail('not_ready'))
  return new Response(body as string, { status, headers: { ...headers } })
}
