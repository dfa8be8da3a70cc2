/** The line of each request. */
import { clientAddress, toIsTrusted } from '../../../core/http/client-address.ts'
import type { Hook } from '../../../core/http/hooks.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import type { Logger } from '../../../core/kernel/log.ts'
import type { ContextSource } from '../local-context.ts'

/** The fields that name who called. */
export type CallerOf = (request: SvcRequest) => Readonly<Record<string, string | undefined>>

/**
 * Creates the hook that logs each request. `contexts` gives requests a trace if no other feature does; `callerOf` gives
 * the fields that name who called.
 */
export function requestHook(http: Logger, contexts: ContextSource | undefined, callerOf: CallerOf | undefined): Hook {
  return {
    ...(contexts && {
      onRequest: (request) => {
        request.traceBy = contexts.fromRequest
      },
    }),
    onReply: (request, { status, code }, durationMs) => {
      const level = status >= 500 ? 'warn' : 'info'
      if (!http.enabled(level)) return
      const { method, route, trace } = request
      const duration_ms = Math.round(durationMs * 1_000) / 1_000
      const fields = { method, route, status, code, duration_ms, ...callerOf?.(request) }
      http.log(level, `${method} ${route} ${status}`, fields, trace)
    },
  }
}

/** The fields of a caller. What a caller does not have is undefined, and no field of the line. */
export function callerOf(trustedProxies: readonly string[]): CallerOf {
  const isTrusted = toIsTrusted(trustedProxies)
  return (request) => {
    const { user, tenant, actor, credential } = request.identity
    return {
      user: user ?? undefined,
      tenant: tenant ?? undefined,
      actor,
      client: clientAddress(request, isTrusted) || undefined,
      key_id: credential?.keyId,
    }
  }
}
