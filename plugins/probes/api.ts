/** What the probes offer to other plugins. */
import type { MaybePromise } from '../../core/http/route.ts'

/** One condition of readiness. */
export interface ReadinessCheck {
  /** Name in the `/readyz` body, such as `persistence`. */
  readonly name: string
  /** Whether its failure makes the service unavailable (503). */
  readonly required: boolean
  /** Throws or rejects when the condition does not hold. What it throws stays in the log. */
  run(): MaybePromise<void>
}

/** Takes the conditions that `/readyz` reports. */
export interface Readiness {
  add(check: ReadinessCheck): void
}

declare module '../../core/plugin.ts' {
  interface Capabilities {
    Readiness: Readiness
  }
}
