/** Records a value in every family through the capability, as plugins do. */
import type { Telemetry } from '../../../plugins/telemetry/api.ts'

/** Records values in every family that the HTTP surfaces do not record. */
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
  telemetry.toolServerUp('files', false)
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
  telemetry.sseConnections('run', 1)
  telemetry.sseDropped('live', 7)
  telemetry.logDropped(3)
  telemetry.httpRefused(431)
  telemetry.syncPush('created', 0.004)
  telemetry.kbdCommand('card.move', 'created', 0.003)
  telemetry.kbdFold(0.0002)
  telemetry.kbdProject('demo', 2, 1)
  telemetry.clusterEngine('postgres', true)
  telemetry.clusterAppend('written', 0.002)
  telemetry.clusterAppendsUp('nats', true)
  telemetry.clusterBegin(['written', 'unknown'])
  telemetry.clusterRuns(3, 2)
  telemetry.clusterLeaderChanged()
  telemetry.clusterSkipped('run')
  telemetry.clusterKeyAge(0.4)
  telemetry.peerConnections(1)
  telemetry.peerExchange('in', '200', 1_024)
  telemetry.peerAcknowledgement('acknowledged')
}
