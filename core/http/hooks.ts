/** Runs the hooks of a surface around its answers. */
import type { Awaitable } from '../kernel/values.ts'
import type { Reply } from './reply.ts'
import type { SvcRequest } from './request.ts'

/** Watches requests. The error of a hook is logged and changes nothing. */
export interface Hook {
  /** Before the guard; may set `request.traceBy`. */
  onRequest?(request: SvcRequest): void
  /** When the reply is decided, before `onReply`. Returns the reply to send: the same one, or one with more headers. */
  amend?(request: SvcRequest, reply: Reply): Reply
  /** When the reply is decided; for a stream that is when it opens. `durationMs` counts from the request's head. */
  onReply?(request: SvcRequest, reply: Reply, durationMs: number): void
}

/** The parts of hooks. */
export interface HookParts {
  readonly hooks: readonly Hook[]
  readonly monotonic: () => number
  /** Called with the error of a hook. */
  readonly failed: (error: unknown) => void
}

type Handle = (request: SvcRequest) => Awaitable<Reply>

/** Runs the hooks around `handle`. Returns `handle` itself if there are no hooks. */
export function withHooks(handle: Handle, { hooks, monotonic, failed }: HookParts): Handle {
  const requestHooks = hooks.filter((hook) => hook.onRequest !== undefined)
  const amendHooks = hooks.filter((hook) => hook.amend !== undefined)
  const replyHooks = hooks.filter((hook) => hook.onReply !== undefined)
  if (requestHooks.length + amendHooks.length + replyHooks.length === 0) return handle

  const settled = (request: SvcRequest, decided: Reply): Reply => {
    let reply = decided
    for (const hook of amendHooks) {
      try {
        reply = hook.amend?.(request, reply) ?? reply
      } catch (error) {
        failed(error)
      }
    }
    if (replyHooks.length === 0) return reply
    const durationMs = monotonic() - request.startedMs
    for (const hook of replyHooks) {
      try {
        hook.onReply?.(request, reply, durationMs)
      } catch (error) {
        failed(error)
      }
    }
    return reply
  }
  return (request) => {
    for (const hook of requestHooks) {
      try {
        hook.onRequest?.(request)
      } catch (error) {
        failed(error)
      }
    }
    const reply = handle(request)
    return reply instanceof Promise ? reply.then((value) => settled(request, value)) : settled(request, reply)
  }
}
