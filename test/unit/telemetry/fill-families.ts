/** Records a value of every metric of the capability, as plugins do. */
import { type InstrumentsOf, instrumentsOf, metricsOf } from '../../../core/declare/metric.ts'
import type { Telemetry } from '../../../plugins/telemetry/api.ts'
import { createTelemetry } from '../../../plugins/telemetry/metrics/feature.ts'
import type { Instruments } from '../../../plugins/telemetry/metrics/instruments.ts'
import { ownMetrics } from '../../../plugins/telemetry/metrics/own-metrics.ts'

/** The instruments of the metrics of `telemetry.metrics`, which record in `to`. */
export function ownInstruments(to: Instruments): InstrumentsOf<typeof ownMetrics> {
  to.declare(metricsOf([{ metrics: ownMetrics }]))
  return instrumentsOf(ownMetrics, () => to)
}

/** The capability, which records in `to`. */
export function telemetryOn(to: Instruments): Telemetry {
  return createTelemetry(ownInstruments(to))
}

/** Records a value of each. */
export function fillFamilies(telemetry: Telemetry): void {
  telemetry.llmCall({
    provider: 'acme',
    model: 'large',
    durationSeconds: 1.5,
    costUsd: 0.25,
    inputTokens: 1_000,
    outputTokens: 200,
    cacheReadTokens: 300,
    cacheWriteTokens: 40,
  })
  telemetry.providerUp('acme', true)
  telemetry.toolResult('search', 'ok')
  telemetry.sessions(1)
  telemetry.sessions(1)
  telemetry.sessions(-1)
  telemetry.sandboxActivity('exec')
  telemetry.sandboxError('timeout')
  telemetry.guardrail('pii', 'blocked')
  telemetry.sycophancy(0.35)
  telemetry.evaluation('smoke', 0.9)
  telemetry.evaluationRegression('smoke')
  telemetry.skillActivated('summarise')
  telemetry.skillOutcome('summarise', 'ok')
}
