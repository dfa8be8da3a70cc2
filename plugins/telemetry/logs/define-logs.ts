/** The log plugin. Its variants differ in the sink and in the destination of lines. */

import { counter } from '../../../core/declare/metric.ts'
import type { Hook } from '../../../core/http/hooks.ts'
import { surfaceNames } from '../../../core/http/route.ts'
import type { Logger, LogSink } from '../../../core/log.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import { type ContextSource, createContextSource } from '../local-context.ts'
import type { LogFormat } from './formats.ts'
import { createHostSink } from './host-sink.ts'
import { createLevelFilter } from './level-filter.ts'
import { logSettings } from './settings.ts'
import type { SinkOptions } from './sink-options.ts'

declare const __PROGRAM__: boolean

/** A destination of printed lines. */
export interface LogDestination {
  /** Whether lines may have colours, which is so for terminals only. */
  readonly color: boolean
  write(line: string): void
  /** Resolves when all lines are written, or when the reader makes no progress. */
  flush?(): Promise<void>
  /** Calls `count` for dropped lines; returns a function that ends the calls. */
  onDropped?(count: (lines: number) => void): () => void
}

/** The parts of a variant. */
export interface LogVariant {
  readonly createSink: (options: SinkOptions) => LogSink
  readonly open: (format: LogFormat, color: boolean) => LogDestination
}

/** Creates the plugin of a variant. */
export function defineLogs({ createSink, open }: LogVariant): Plugin {
  return definePlugin({
    name: 'telemetry.logs',
    feature: 'telemetry.logs',
    // Wants Tracing for the order of hooks: a request must have its trace before it is logged.
    wants: ['Tracing', 'LogOutput'],
    provides: ['LogSink'],
    settings: logSettings,
    metrics: {
      dropped: counter('svc_log_dropped_lines_total', {
        unit: 'lines',
        help: 'Log lines that standard output did not take.',
      }),
    },
    setup(ctx) {
      const format = ctx.settings['server.log_format']
      let filter = createLevelFilter(ctx.settings['logs.filter'])
      const enabled: LogSink['enabled'] = (level, target) => filter.enabled(level, target)
      const output = ctx.find('LogOutput')
      const openSink = (): LogSink => {
        const { color, write, flush, onDropped } = open(format, ctx.settings['logs.color'])
        const { dropped } = ctx.metrics
        if (dropped.enabled && onDropped !== undefined) ctx.onStop(onDropped((lines) => dropped.add({}, lines)))
        return createSink({ enabled, format, color, write, ...(flush && { flush }) })
      }
      const sink = output === undefined ? openSink() : createHostSink(enabled, format, output)
      ctx.provide('LogSink', sink)
      // Written to the sink and not to the log, because the filter must not hide the report on itself.
      const { target } = ctx.log
      const diagnose = (): void => {
        for (const message of filter.diagnostics)
          sink.write({ timeMs: ctx.clock.now(), level: 'warn', target, message })
      }
      diagnose()
      if (typeof __PROGRAM__ === 'undefined' || __PROGRAM__)
        ctx.onReload(({ 'logs.filter': directives }) => {
          filter = createLevelFilter(directives)
          diagnose()
        })

      const contexts = ctx.find('Tracing') === undefined ? createContextSource(ctx.random) : undefined
      const hook = requestHook(ctx.log.named('svc::http'), contexts)
      for (const name of surfaceNames) ctx.hook(name, hook)
    },
  })
}

/** Creates the hook that logs each request. `contexts` gives requests a trace if no other feature does. */
function requestHook(http: Logger, contexts: ContextSource | undefined): Hook {
  return {
    ...(contexts && {
      onRequest: (request) => {
        request.traceBy = contexts.fromRequest
      },
    }),
    onReply: (request, { status }, durationMs) => {
      const level = status >= 500 ? 'warn' : 'info'
      if (!http.enabled(level)) return
      const { method, route, trace } = request
      const duration_ms = Math.round(durationMs * 1_000) / 1_000
      http.log(level, `${method} ${route} ${status}`, { method, route, status, duration_ms }, trace)
    },
  }
}
