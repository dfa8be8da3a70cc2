/** The `Telemetry` capability. */
import type { InstrumentsOf } from '../../../core/declare/metric.ts'
import type { Telemetry } from '../api.ts'
import type { ownMetrics } from './own-metrics.ts'

/** Creates the capability on the instruments of its plugin. */
export function createTelemetry(metrics: InstrumentsOf<typeof ownMetrics>): Telemetry {
  return {
    llmCall: ({ provider, model, ...call }) => {
      const labels = { provider, model }
      metrics.llmSeconds.observe(labels, call.durationSeconds)
      if (call.costUsd !== undefined) metrics.llmCost.add(labels, call.costUsd)
      if (call.inputTokens !== undefined) metrics.inputTokens.add(labels, call.inputTokens)
      if (call.outputTokens !== undefined) metrics.outputTokens.add(labels, call.outputTokens)
      if (call.cacheReadTokens !== undefined) metrics.cacheReadTokens.add(labels, call.cacheReadTokens)
      if (call.cacheWriteTokens !== undefined) metrics.cacheWriteTokens.add(labels, call.cacheWriteTokens)
    },
    providerUp: (provider, up) => metrics.providerUp.set({ provider }, up ? 1 : 0),
    toolResult: (tool, outcome) => metrics.toolResults.add({ tool, outcome }),
    sessions: (change) => metrics.sessions.move({}, change),
    sandboxActivity: (action) => metrics.sandboxActivity.add({ action }),
    sandboxError: (kind) => metrics.sandboxErrors.add({ kind }),
    guardrail: (guardrail, verdict) => metrics.guardrails.add({ guardrail, verdict }),
    sycophancy: (score) => metrics.sycophancy.observe({}, score),
    evaluation: (suite, score) => metrics.evaluation.set({ suite }, score),
    evaluationRegression: (suite) => metrics.regressions.add({ suite }),
    skillActivated: (skill) => metrics.skillActivations.add({ skill }),
    skillOutcome: (skill, outcome) => metrics.skillOutcomes.add({ skill, outcome }),
  }
}
