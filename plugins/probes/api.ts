import type { Awaitable } from '../../core/awaitable.ts'
/** What the probes offer to other plugins. */

/** One condition of readiness. */
export interface ReadinessCheck {
  /** Name in the `/readyz` body, such as `persistence`. */
  readonly name: string
  /** Whether its failure makes the service unavailable (503). */
  readonly required: boolean
  /** Throws or rejects if the condition is not met. The error is logged, and is not part of the report. */
  run(): Awaitable<void>
}

/** Registers the conditions that `/readyz` reports. */
export interface Readiness {
  add(check: ReadinessCheck): void
  /** Discards the last report. To be called when the result of a check changes. */
  changed(): void
}

/** Reports which of the configured tool servers answer. */
export interface ToolServers {
  /** Whether a server answered its last check; undefined for a server that is unknown or has not been checked yet. */
  isUp(name: string): boolean | undefined
}
