/** What the probes offer to other plugins. */
import type { Awaitable } from '../../core/kernel/values.ts'

/** One condition of readiness. */
export interface ReadinessCheck {
  /** Name in the `/readyz` body, such as `persistence`. */
  readonly name: string
  /** Whether its failure makes the service unavailable (503). */
  readonly required: boolean
  /** Throws or rejects if the condition is not met. The error is logged, and is not part of the report. */
  run(): Awaitable<void>
}

/** The result of one check, as a readiness probe shows it. */
export interface CheckResult {
  readonly status: 'ok' | 'failed'
  readonly required: boolean
}

/** The result of all checks. */
export interface ReadinessReport {
  readonly ready: boolean
  readonly checks: Readonly<Record<string, CheckResult>>
}

/** Registers the conditions that `/readyz` reports. */
export interface Readiness {
  /** The paths of the probes. Their requests come from balancers and monitors, not from users. */
  readonly paths: readonly string[]
  add(check: ReadinessCheck): void
  /** Returns a report that is at most `probes.cache_ms` old. */
  report(): Promise<ReadinessReport>
  /** Discards the last report. To be called when the result of a check changes. */
  changed(): void
}

/** Reports which of the configured tool servers answer. */
export interface ToolServers {
  /** Whether a server answered its last check; undefined for a server that is unknown or has not been checked yet. */
  isUp(name: string): boolean | undefined
}
