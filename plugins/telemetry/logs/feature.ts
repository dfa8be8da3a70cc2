/**
 * The log: a line for each entry and for each request. The variants differ in the sink and in the destination of lines.
 */
import { described, documented } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { counter } from '../../../core/declare/metric.ts'
import { choice, flag, reloadable } from '../../../core/declare/settings.ts'
import { surfaceNames } from '../../../core/http/route.ts'
import type { LogOutput, LogSink } from '../../../core/kernel/log.ts'
import { serverSettings } from '../../../core/kernel/settings/server.ts'
import { createContextSource } from '../local-context.ts'
import { contract } from './contract.ts'
import { toEntry } from './entry.ts'
import { type LogFormat, printEntry } from './formats.ts'
import { createLevelFilter, defaultFilter } from './level-filter.ts'
import { callerOf, requestHook } from './request-hook.ts'
import type { LogVariant } from './variant.ts'

declare const __PROGRAM__: boolean

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'telemetry.logs': 'pino' | 'lite' | 'console'
  }
}

/** Feature `telemetry.logs`. */
export const feature: FeatureValue<'telemetry.logs', LogVariant> = defineFeature({
  id: 'telemetry.logs',
  about: described({
    at: import.meta.url,
    summary: 'Structured log in three formats, filtered by RUST_LOG, with a line for every request',
    stability: 'stable',
    since: '0.1.0',
    platform: { pino: 'node', lite: 'node', console: 'web' },
    variants: {
      pino: () => import('./pino.ts'),
      lite: () => import('./lite.ts'),
      console: () => import('./console.ts'),
    },
    packages: {
      pino: [
        'pino',
        '@pinojs/redact',
        'atomic-sleep',
        'on-exit-leak-free',
        'pino-std-serializers',
        'quick-format-unescaped',
        'safe-stable-stringify',
        'sonic-boom',
        'thread-stream',
      ],
      lite: [],
      console: [],
    },
    uses: { pino: ['require', 'worker', 'place'], lite: [], console: [] },
    contract,
  }),
  // Tracing is for the order of hooks: a request must have its trace before it is logged.
  needs: { Tracing: 'optional', LogOutput: 'optional' },
  provides: ['LogSink'],
  settings: {
    'server.log_format': choice({
      default: 'json',
      of: ['json', 'compact', 'pretty'],
      summary: documented('How log entries are printed.'),
    }),
    'logs.filter': reloadable({
      default: defaultFilter,
      summary: documented('Which log entries are printed: directives as in RUST_LOG.'),
      variable: 'RUST_LOG',
      secret: false,
      expected: 'a text',
      // Every text is accepted: parts that are not directives are reported and skipped. An empty text shows errors
      // only.
      read: (input) => (typeof input === 'string' ? input : undefined),
    }),
    'logs.color': flag({ default: true, summary: documented('Whether compact and pretty use colour on a terminal.') }),
    'logs.identity': flag({
      default: true,
      summary: documented('Whether the line of a request names who called: user, tenant, actor, client and key_id.'),
    }),
    'server.trusted_proxies': serverSettings['server.trusted_proxies'],
  },
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
    const output = ctx.get('LogOutput')
    const openSink = (): LogSink => {
      const { color, write, flush, onDropped } = ctx.variant.open(format, ctx.settings['logs.color'])
      const { dropped } = ctx.metrics
      if (dropped.enabled && onDropped !== undefined) ctx.onStop(onDropped((lines) => dropped.add({}, lines)))
      return ctx.variant.createSink({ enabled, format, color, write, ...(flush && { flush }) })
    }
    const sink = output === undefined ? openSink() : createHostSink(enabled, format, output)
    ctx.provide('LogSink', sink)
    // Written to the sink and not to the log, because the filter must not hide the report on itself.
    const { target } = ctx.log
    const diagnose = (): void => {
      for (const message of filter.diagnostics) sink.write({ timeMs: ctx.clock.now(), level: 'warn', target, message })
    }
    diagnose()
    if (typeof __PROGRAM__ === 'undefined' || __PROGRAM__)
      ctx.onReload(({ 'logs.filter': directives }) => {
        filter = createLevelFilter(directives)
        diagnose()
      })

    const contexts = ctx.get('Tracing') === undefined ? createContextSource(ctx.random) : undefined
    const caller = ctx.settings['logs.identity'] ? callerOf(ctx.settings['server.trusted_proxies']) : undefined
    const hook = requestHook(ctx.log.named('svc::http'), contexts, caller)
    for (const name of surfaceNames) ctx.hook(name, hook)
  },
})

/** Creates a sink that passes each entry to `output`, as data and as a printed line. */
export function createHostSink(enabled: LogSink['enabled'], format: LogFormat, output: LogOutput): LogSink {
  return {
    enabled,
    write(record) {
      const entry = toEntry(record)
      try {
        output(entry, printEntry(entry, format, false))
      } catch {
        // An error in the host's log must not reach the code that logs.
      }
    },
  }
}
