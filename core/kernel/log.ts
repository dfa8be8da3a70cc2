/** The logger that plugins write to, and the sink that a log plugin supplies. */
import type { TraceContext } from '../http/request.ts'

/** Severity, least to most severe. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error'

/** One structured record, before any format. */
export interface LogRecord {
  /** Unix time in milliseconds. */
  readonly timeMs: number
  readonly level: LogLevel
  /** The component that logs, with `::` between its parts: `svc::http`. */
  readonly target: string
  readonly message: string
  readonly fields?: Readonly<Record<string, unknown>> | undefined
  readonly trace?: TraceContext | undefined
}

/** Takes records out of the process. `write` never throws and never blocks. */
export interface LogSink {
  /** Whether a record passes. Called first, so that a record that does not pass is not built. */
  enabled(level: LogLevel, target: string): boolean
  write(record: LogRecord): void
  /** Resolves when all written records have left the process. */
  flush?(): Promise<void>
}

/** A log entry with the members of a JSON line. Secrets are removed. */
export interface LoggedEntry {
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string
  /** `TRACE`, `DEBUG`, `INFO`, `WARN` or `ERROR`. */
  readonly level: string
  readonly target: string
  readonly message: string
  readonly [field: string]: unknown
}

/** Receives each log entry that passes the filter, as data and as a line in the configured format with its newline. */
export type LogOutput = (entry: LoggedEntry, line: string) => void

/** The log of a plugin: `ctx.log.info('Listening.', { address })`. */
export interface Logger {
  readonly target: string
  enabled(level: LogLevel): boolean
  /** A logger whose target is the target of this logger, followed by `::name`. */
  child(name: string): Logger
  /** A logger whose target is `target`. */
  named(target: string): Logger
  log(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>, trace?: TraceContext): void
  /** Writes a record of level `info` that no filter drops: who has done what to whom. */
  record(message: string, fields?: Readonly<Record<string, unknown>>): void
  trace(message: string, fields?: Readonly<Record<string, unknown>>): void
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void
  info(message: string, fields?: Readonly<Record<string, unknown>>): void
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
  error(message: string, fields?: Readonly<Record<string, unknown>>): void
}

/** Most records that are held before a sink is attached; the oldest are dropped. A start writes a few dozen. */
const HELD_RECORDS = 1_000

/**
 * The target of all loggers. Holds records until a sink is attached, so that records of plugins that are set up before
 * the log are not lost.
 */
export class LogHub {
  #sink: LogSink | undefined
  #held: LogRecord[] = []
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** Sends all records to `sink`, the held ones first. */
  attach(sink: LogSink): void {
    this.#sink = sink
    const held = this.#held
    this.#held = []
    for (const record of held) if (sink.enabled(record.level, record.target)) sink.write(record)
  }

  /** Whether a sink is attached. */
  get attached(): boolean {
    return this.#sink !== undefined
  }

  enabled(level: LogLevel, target: string): boolean {
    return this.#sink === undefined || this.#sink.enabled(level, target)
  }

  write(
    level: LogLevel,
    target: string,
    message: string,
    fields?: Readonly<Record<string, unknown>>,
    trace?: TraceContext,
  ): void {
    const sink = this.#sink
    if (sink === undefined) {
      if (this.#held.length === HELD_RECORDS) this.#held.shift()
      this.#held.push({ timeMs: this.#now(), level, target, message, fields, trace })
    } else if (sink.enabled(level, target)) {
      sink.write({ timeMs: this.#now(), level, target, message, fields, trace })
    }
  }

  /** Writes a record that no filter drops. */
  record(target: string, message: string, fields?: Readonly<Record<string, unknown>>): void {
    if (this.#sink === undefined) this.write('info', target, message, fields)
    else this.#sink.write({ timeMs: this.#now(), level: 'info', target, message, fields })
  }

  async flush(): Promise<void> {
    await this.#sink?.flush?.()
  }

  /** A logger for `target`. */
  logger(target: string): Logger {
    const at =
      (level: LogLevel) =>
      (message: string, fields?: Readonly<Record<string, unknown>>): void =>
        this.write(level, target, message, fields)
    return {
      target,
      enabled: (level) => this.enabled(level, target),
      child: (name) => this.logger(`${target}::${name}`),
      named: (other) => this.logger(other),
      log: (level, message, fields, trace) => this.write(level, target, message, fields, trace),
      record: (message, fields) => this.record(target, message, fields),
      trace: at('trace'),
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
    }
  }
}
