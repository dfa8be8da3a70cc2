/** The interfaces that telemetry offers to other plugins. */

/** One call of a language model. */
export interface LlmCall {
  readonly provider: string
  readonly model: string
  readonly durationSeconds: number
  readonly costUsd?: number | undefined
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  /** Tokens read from, and written to, the provider's prompt cache. */
  readonly cacheReadTokens?: number | undefined
  readonly cacheWriteTokens?: number | undefined
}

/**
 * Records observations that the surfaces cannot make themselves. No method throws. A number that is not finite, and a
 * negative number for a counter, is ignored. Each label has at most 200 values; further values become `other`, so that
 * a label value from data cannot create series without bound.
 */
export interface Telemetry {
  llmCall(call: LlmCall): void
  /** Whether a provider of language models answers. */
  providerUp(provider: string, up: boolean): void
  /** `outcome` is a word such as `ok`, `error`, `timeout`. */
  toolResult(tool: string, outcome: string): void
  /** A session began (1) or ended (-1). */
  sessions(change: 1 | -1): void
  sandboxActivity(action: string): void
  sandboxError(kind: string): void
  guardrail(guardrail: string, verdict: string): void
  /** From 0 (plain-spoken) to 1 (flattering). */
  sycophancy(score: number): void
  evaluation(suite: string, score: number): void
  evaluationRegression(suite: string): void
  skillActivated(skill: string): void
  skillOutcome(skill: string, outcome: string): void
}

/** One check of a surface in the history. */
export interface CheckDay {
  readonly name: string
  readonly surface: string
  readonly required: boolean
  /** Whether it passed each time in the minute; null where nothing is known. */
  readonly values: readonly (boolean | null)[]
}

/**
 * The last day of the service, as `GET /api/v1/history` answers. Each list has a value for each minute, the oldest
 * first, and null where nothing is known.
 */
export interface Day {
  /** Unix time in milliseconds at which the first minute begins. */
  readonly fromMs: number
  /** The milliseconds from one value to the next. */
  readonly stepMs: number
  readonly checks: readonly CheckDay[]
  readonly requests: readonly (number | null)[]
  readonly errors: readonly (number | null)[]
  readonly refusals: readonly (number | null)[]
  readonly p95Ms: readonly (number | null)[]
  readonly streams: readonly (number | null)[]
  readonly starts: readonly (number | null)[]
  /** Least room on the disk of the store, in bytes. Absent in the answer of an older service. */
  readonly freeBytes?: readonly (number | null)[]
}
