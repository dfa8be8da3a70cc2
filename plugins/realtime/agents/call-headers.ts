/** The headers of the call of an agent. */
import type { SvcRequest } from '../../../core/http/request.ts'
import type { AgentSettings } from './settings.ts'

/** The headers of a call. Nothing of the caller's own headers is passed on. */
export function headersOf(
  agent: AgentSettings,
  { identity: { user, tenant, actor }, trace }: Pick<SvcRequest, 'identity' | 'trace'>,
  runId: string,
): Readonly<Record<string, string>> {
  const own = Object.entries(agent.headers).map(([name, value]) => [name, value.reveal()])
  return {
    ...Object.fromEntries(own),
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'accept-encoding': 'identity',
    ...(trace !== undefined && { traceparent: `00-${trace.traceId}-${trace.spanId}-01` }),
    ...(user !== null && { 'svc-user': encoded(user) }),
    ...(tenant !== null && { 'svc-tenant': encoded(tenant) }),
    ...(actor !== undefined && { 'svc-actor': encoded(actor) }),
    'svc-run': encoded(runId),
  }
}

/** UTF-8 in percent-encoding, because a header carries Latin-1 alone. Half of a surrogate pair becomes U+FFFD. */
function encoded(text: string): string {
  return encodeURIComponent(new TextDecoder().decode(new TextEncoder().encode(text)))
}
