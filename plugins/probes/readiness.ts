/** Runs the readiness checks, each with a time limit. Their report is reused for a short time. */

import type { Clock } from '../../core/kernel/environment.ts'
import type { Logger } from '../../core/kernel/log.ts'
import { withDeadline } from '../../core/kernel/phase.ts'
import type { CheckResult, Readiness, ReadinessCheck, ReadinessReport } from './api.ts'

/** Options of the registry. */
export interface ReadinessOptions {
  readonly clock: Clock
  readonly log: Logger
  /** Longest time for one check, in milliseconds. */
  readonly checkTimeoutMs: number
  /** How long a report is reused, in milliseconds. It limits the load that probes cause. */
  readonly cacheMs: number
}

/** Collects checks and reports on them. */
export class ReadinessRegistry implements Readiness {
  readonly paths: readonly string[] = ['/health', '/healthz', '/readyz']
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

  /** Adds the checks whose names no plugin has used. */
  addMissing(checks: readonly ReadinessCheck[]): void {
    for (const check of checks) if (!this.#checks.some(({ name }) => name === check.name)) this.add(check)
  }

  /**
   * Returns a new report, or the last one if it is younger than `cacheMs`. Concurrent callers share one run of the
   * checks.
   */
  report(): Promise<ReadinessReport> {
    const now = this.#options.clock.monotonic()
    if (this.#shared === undefined || now >= this.#shared.untilMs) {
      // Callers share the report while the checks run, and for `cacheMs` afterwards.
      const shared = { untilMs: Infinity, report: this.#run() }
      const startExpiry = (): void => {
        shared.untilMs = this.#options.clock.monotonic() + this.#options.cacheMs
      }
      shared.report.then(startExpiry, startExpiry)
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
      const timeoutError = (): Error => new Error(`no answer within ${checkTimeoutMs} ms`)
      await withDeadline(clock, checkTimeoutMs, () => check.run(), timeoutError)
      return { status: 'ok', required }
    } catch (error) {
      log.warn('A readiness check failed.', { check: name, required, error })
      return { status: 'failed', required }
    }
  }
}
