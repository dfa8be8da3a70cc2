/** Runs the readiness checks: each with a time limit, the results shared for a moment. */

import type { Clock } from '../../core/environment.ts'
import { withDeadline } from '../../core/lifecycle/deadline.ts'
import type { Logger } from '../../core/log.ts'
import type { Readiness, ReadinessCheck } from './api.ts'

/** The result of one check, as `/readyz` shows it. */
export interface CheckResult {
  readonly status: 'ok' | 'failed'
  readonly required: boolean
}

/** The result of all checks. */
export interface ReadinessReport {
  readonly ready: boolean
  readonly checks: Readonly<Record<string, CheckResult>>
}

/** What a registry runs with. */
export interface ReadinessOptions {
  readonly clock: Clock
  readonly log: Logger
  /** Longest time for one check, in milliseconds. */
  readonly checkTimeoutMs: number
  /** How long a report is given again, in milliseconds, so that probes cannot load what they probe. */
  readonly cacheMs: number
}

/** Collects checks and reports on them. */
export class ReadinessRegistry implements Readiness {
  readonly #checks: ReadinessCheck[] = []
  readonly #options: ReadinessOptions
  #shared: { untilMs: number; readonly report: Promise<ReadinessReport> } | undefined

  constructor(options: ReadinessOptions) {
    this.#options = options
  }

  add(check: ReadinessCheck): void {
    if (this.#checks.some(({ name }) => name === check.name)) {
      throw new TypeError(`Two readiness checks are named "${check.name}".`)
    }
    this.#checks.push(check)
    this.changed()
  }

  changed(): void {
    this.#shared = undefined
  }

  /** Adds checks under names that no plugin has used. */
  addMissing(checks: readonly ReadinessCheck[]): void {
    for (const check of checks) if (!this.#checks.some(({ name }) => name === check.name)) this.add(check)
  }

  /** The present report; at most one run is under way at a time. */
  report(): Promise<ReadinessReport> {
    const now = this.#options.clock.monotonic()
    if (this.#shared === undefined || now >= this.#shared.untilMs) {
      // Callers share the report while it is made, and for `cacheMs` afterwards.
      const shared = { untilMs: Infinity, report: this.#run() }
      const done = (): void => {
        shared.untilMs = this.#options.clock.monotonic() + this.#options.cacheMs
      }
      shared.report.then(done, done)
      this.#shared = shared
    }
    return this.#shared.report
  }

  async #run(): Promise<ReadinessReport> {
    const results = await Promise.all(this.#checks.map((check) => this.#runOne(check)))
    const checks = Object.fromEntries(this.#checks.map(({ name }, index) => [name, results[index]!]))
    return { ready: results.every(({ status, required }) => status === 'ok' || !required), checks }
  }

  async #runOne(check: ReadinessCheck): Promise<CheckResult> {
    const { clock, checkTimeoutMs, log } = this.#options
    const { name, required } = check
    try {
      const late = (): Error => new Error(`no answer within ${checkTimeoutMs} ms`)
      await withDeadline(clock, checkTimeoutMs, () => check.run(), late)
      return { status: 'ok', required }
    } catch (error) {
      log.warn('A readiness check failed.', { check: name, required, error })
      return { status: 'failed', required }
    }
  }
}
