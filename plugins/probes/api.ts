import type { Awaitable } from '../../core/awaitable.ts'
/** What the probes offer to other plugins. */

/** One condition of readiness. */
export interface ReadinessCheck {
  /** Name in the `/readyz` body, such as `persistence`. */
  readonly name: string
  /** Whether its failure makes the service unavailable (503). */
  readonly required: boolean
  /** Throws or rejects when the condition does not hold. What it throws stays in the log. */
  run(): Awaitable<void>
}

/** Takes the conditions that `/readyz` reports. */
export interface Readiness {
  add(check: ReadinessCheck): void
  /** Tells that a check would say something else now: what was reported a moment ago is not given again. */
  changed(): void
}

/** Knows which of the configured tool servers answer. */
export interface ToolServers {
  /** Whether a server answered when it was asked last; undefined for one that is unknown or was not asked yet. */
  isUp(name: string): boolean | undefined
}
