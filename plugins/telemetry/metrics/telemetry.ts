/** The `Telemetry` capability. */
import type { Telemetry } from '../api.ts'
import type { Instruments } from './instruments.ts'

/** Creates the capability. `current` returns the instruments, or undefined if another component is the recorder. */
export function createTelemetry(current: () => Instruments | undefined): Telemetry {
  const record: Instruments['record'] = (name, labels, value) => current()?.record(name, labels, value)
  const move: Instruments['move'] = (name, labels, change) => current()?.move(name, labels, change)
  const begin: Instruments['begin'] = (name, labels) => current()?.begin(name, labels)
  return {
    llmCall: ({ provider, model, ...call }) => {
      const labels = { provider, model }
      record('svc_llm_call_duration_seconds', labels, call.durationSeconds)
      if (call.costUsd !== undefined) record('svc_llm_estimated_cost_usd_total', labels, call.costUsd)
      if (call.inputTokens !== undefined) record('svc_llm_input_tokens_total', labels, call.inputTokens)
      if (call.outputTokens !== undefined) record('svc_llm_output_tokens_total', labels, call.outputTokens)
      if (call.cacheReadTokens !== undefined) record('svc_prompt_cache_read_tokens_total', labels, call.cacheReadTokens)
      if (call.cacheWriteTokens !== undefined) {
        record('svc_prompt_cache_write_tokens_total', labels, call.cacheWriteTokens)
      }
    },
    providerUp: (provider, up) => record('svc_provider_up', { provider }, up ? 1 : 0),
    toolResult: (tool, outcome) => record('svc_tool_results_total', { tool, outcome }, 1),
    toolServerUp: (server, up) => record('svc_tool_server_up', { server }, up ? 1 : 0),
    sessions: (change) => move('svc_active_sessions', {}, change),
    sandboxActivity: (action) => record('svc_sandbox_activity_total', { action }, 1),
    sandboxError: (kind) => record('svc_sandbox_errors_total', { kind }, 1),
    guardrail: (guardrail, verdict) => record('svc_guardrail_observations_total', { guardrail, verdict }, 1),
    sycophancy: (score) => record('svc_sycophancy_score', {}, score),
    evaluation: (suite, score) => record('svc_evaluation_score', { suite }, score),
    evaluationRegression: (suite) => record('svc_evaluation_regressions_total', { suite }, 1),
    skillActivated: (skill) => record('svc_skill_activations_total', { skill }, 1),
    skillOutcome: (skill, outcome) => record('svc_skill_outcomes_total', { skill, outcome }, 1),
    logDropped: (lines) => record('svc_log_dropped_lines_total', {}, lines),
    httpRefused: (status) => record('svc_http_refused_total', { status: String(status) }, 1),
    sseConnections: (stream, change) => {
      move('svc_sse_connections', { stream }, change)
      if (change > 0) begin('svc_sse_dropped_events_total', { stream })
    },
    sseDropped: (stream, count) => record('svc_sse_dropped_events_total', { stream }, count),
    peerConnections: (change) => move('svc_peer_connections', {}, change),
    peerExchange: (direction, outcome, bytes) => {
      record('svc_peer_exchanges_total', { direction, outcome }, 1)
      record('svc_peer_bytes_total', { direction }, bytes)
    },
    peerAcknowledgement: (state) => record('svc_peer_words_total', { state }, 1),
    storeLog: (bytes) => record('svc_store_log_bytes', {}, bytes),
    syncPush: (result, durationSeconds) => {
      record('svc_sync_pushes_total', { result }, 1)
      record('svc_sync_push_duration_seconds', {}, durationSeconds)
    },
    kbdCommand: (type, outcome, durationSeconds) => {
      record('svc_kbd_commands_total', { type, outcome }, 1)
      record('svc_kbd_command_duration_seconds', {}, durationSeconds)
    },
    kbdFold: (durationSeconds) => record('svc_kbd_fold_duration_seconds', {}, durationSeconds),
    clusterAppend: (outcome, durationSeconds) => {
      record('svc_cluster_run_appends_total', { outcome }, 1)
      record('svc_cluster_run_append_duration_seconds', { outcome }, durationSeconds)
    },
    clusterBegin: (outcomes) => {
      for (const outcome of outcomes) {
        begin('svc_cluster_run_appends_total', { outcome })
        begin('svc_cluster_run_append_duration_seconds', { outcome })
      }
    },
    clusterAppendsUp: (engine, up) => record('svc_cluster_run_appends_up', { engine }, up ? 1 : 0),
    clusterRuns: (lag, consumers) => {
      record('svc_cluster_run_lag', {}, lag)
      record('svc_cluster_run_consumers', {}, consumers)
    },
    clusterLeaderChanged: () => record('svc_cluster_leader_changes_total', {}, 1),
    clusterSkipped: (kind) => record('svc_cluster_skipped_messages_total', { kind }, 1),
    clusterKeyAge: (seconds) => record('svc_cluster_key_age_seconds', {}, seconds),
    clusterEngine: (engine, up) => record('svc_cluster_engine_up', { engine }, up ? 1 : 0),
    kbdProject: (project, heads, conflicts) => {
      record('svc_kbd_heads', { project }, heads)
      record('svc_kbd_conflicts', { project }, conflicts)
    },
  }
}
