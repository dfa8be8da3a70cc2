/** The log plugin; its variants differ in the sink and in where lines go. */

import type { Hook } from '../../../core/http/hooks.ts'
import { surfaceNames } from '../../../core/http/route.ts'
import type { LogSink } from '../../../core/log.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import { createContextSource } from '../local-context.ts'
import type { LogFormat } from './formats.ts'
import { createHostSink } from './host-sink.ts'
import { createLevelFilter } from './level-filter.ts'
import { logSettings } from './settings.ts'
import type { SinkOptions } from './sink-options.ts'

/** A place for printed lines. */
export interface LogDestination {
  /** Whether a person reads it at a terminal. */
  readonly color: boolean
  write(line: string): void
  /** Resolves when all lines have left, or when the reader has taken nothing for a while. */
  flush?(): Promise<void>
  /** Has lines that are dropped counted; gives what ends that. */
  onDropped?(count: (lines: number) => void): () => void
}

/** What makes a variant. */
export interface LogVariant {
  readonly createSink: (options: SinkOptions) => LogSink
  readonly open: (format: LogFormat, color: boolean) => LogDestination
}

/** Makes the plugin of a variant. */
export function defineLogs({ createSink, open }: LogVariant): Plugin {
  return definePlugin({
    name: 'telemetry.logs',
    feature: 'telemetry.logs',
    // Tracing for the order of hooks: a request has its trace before it is logged.
    wants: ['Tracing', 'LogOutput', 'Telemetry'],
    provides: ['LogSink'],
    settings: logSettings,
    setup(ctx) {
      const format = ctx.settings['server.log_format']
      const filter = createLevelFilter(ctx.settings['logs.filter'])
      const output = ctx.find('LogOutput')
      let sink: LogSink
      if (output === undefined) {
        const { color, write, flush, onDropped } = open(format, ctx.settings['logs.color'])
        const telemetry = ctx.find('Telemetry')
        if (telemetry !== undefined && onDropped !== undefined) ctx.onStop(onDropped(telemetry.logDropped))
        sink = createSink({ filter, format, color, write, ...(flush && { flush }) })
      } else {
        sink = createHostSink(filter, format, output)
      }
      ctx.provide('LogSink', sink)
      // Past the filter, which they speak of.
      const { target } = ctx.log
      for (const message of filter.diagnostics) sink.write({ timeMs: ctx.clock.now(), level: 'warn', target, message })

      const http = ctx.log.named('svc::http')
      // Decided once: the filter never changes, and every request asks.
      const [answered, failed] = [filter.enabled('info', http.target), filter.enabled('warn', http.target)]
      const contexts = ctx.find('Tracing') === undefined ? createContextSource(ctx.random) : undefined
      const hook: Hook = {
        ...(contexts && {
          onRequest: (request) => {
            request.traceBy = contexts.fromRequest
          },
        }),
        onReply: (request, { status }, durationMs) => {
          const level = status >= 500 ? 'warn' : 'info'
          if (!(level === 'warn' ? failed : answered)) return
          const { method, route, trace } = request
          const duration_ms = Math.round(durationMs * 1_000) / 1_000
          http.log(level, `${method} ${route} ${status}`, { method, route, status, duration_ms }, trace)
        },
      }
      for (const name of surfaceNames) ctx.hook(name, hook)
    },
  })
}
