/** The settings of the log. */
import { documented } from '../../../core/documented.ts'
import { choice, flag, reloadable, type Setting } from '../../../core/settings/kinds.ts'
import type { LogFormat } from './formats.ts'
import { defaultFilter } from './level-filter.ts'

/** Settings of feature `telemetry.logs`, the same in every variant. */
export const logSettings: {
  readonly 'server.log_format': Setting<LogFormat>
  readonly 'logs.filter': Setting<string>
  readonly 'logs.color': Setting<boolean>
} = {
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
    // Every text is accepted: parts that are not directives are reported and skipped. An empty text shows errors only.
    read: (input) => (typeof input === 'string' ? input : undefined),
  }),
  'logs.color': flag({ default: true, summary: documented('Whether compact and pretty use colour on a terminal.') }),
}
