/** All metric families of the service. The registry, the documentation and the tests read this table. */

/** The labels of each family. */
export interface FamilyLabels {
  svc_build_info: 'version' | 'profile' | 'commit'
  svc_http_requests_total: 'method' | 'path' | 'status'
  svc_http_request_duration_seconds: 'method' | 'path' | 'status'
  svc_llm_call_duration_seconds: 'provider' | 'model'
  svc_llm_estimated_cost_usd_total: 'provider' | 'model'
  svc_llm_input_tokens_total: 'provider' | 'model'
  svc_llm_output_tokens_total: 'provider' | 'model'
  svc_provider_up: 'provider'
  svc_prompt_cache_read_tokens_total: 'provider' | 'model'
  svc_prompt_cache_write_tokens_total: 'provider' | 'model'
  svc_tool_results_total: 'tool' | 'outcome'
  svc_active_sessions: never
  svc_sandbox_activity_total: 'action'
  svc_sandbox_errors_total: 'kind'
  svc_tool_server_up: 'server'
  svc_guardrail_observations_total: 'guardrail' | 'verdict'
  svc_sycophancy_score: never
  svc_evaluation_score: 'suite'
  svc_evaluation_regressions_total: 'suite'
  svc_skill_activations_total: 'skill'
  svc_skill_outcomes_total: 'skill' | 'outcome'
  svc_log_dropped_lines_total: never
  svc_http_refused_total: 'status'
  svc_sse_connections: 'stream'
  svc_sse_dropped_events_total: 'stream'
  svc_peer_connections: never
  svc_peer_exchanges_total: 'direction' | 'outcome'
  svc_peer_bytes_total: 'direction'
  svc_peer_words_total: 'state'
  svc_store_log_bytes: never
  svc_sync_pushes_total: 'result'
  svc_sync_push_duration_seconds: never
  svc_kbd_commands_total: 'type' | 'outcome'
  svc_kbd_command_duration_seconds: never
  svc_kbd_fold_duration_seconds: never
  svc_kbd_heads: 'project'
  svc_kbd_conflicts: 'project'
  svc_cluster_engine_up: 'engine'
  svc_cluster_run_appends_up: 'engine'
  svc_cluster_run_appends_total: 'outcome'
  svc_cluster_run_append_duration_seconds: 'outcome'
  svc_cluster_run_lag: never
  svc_cluster_run_consumers: never
  svc_cluster_leader_changes_total: never
  svc_cluster_skipped_messages_total: 'kind'
  svc_cluster_key_age_seconds: never
}

/** Name of a family. */
export type FamilyName = keyof FamilyLabels

/** One family. */
export interface Family<Label extends string = string> {
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** The unit of a value. */
  readonly unit: string
  readonly help: string
  readonly labels: readonly Label[]
  /** Upper bounds of a histogram, ascending, in the unit. */
  readonly buckets?: readonly number[]
}

const httpSeconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
/** A short answer of a fast model takes 0.1 s, a long answer of a slow model two minutes. */
const llmSeconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120]
/** One disk sync takes 0.1 to 10 ms, and commits wait for each other. */
const appendSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4]
const pushSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1]
/** Most commands change a few rows; reranking a column changes hundreds. */
const foldSeconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25]
const scores = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]
const model = ['provider', 'model'] as const

/** The families by name. */
export const families: { readonly [N in FamilyName]: Family<FamilyLabels[N]> } = {
  svc_build_info: gauge('1', 'Always 1; the labels say which build runs.', ['version', 'profile', 'commit']),
  svc_http_requests_total: counter('requests', 'HTTP requests answered.', ['method', 'path', 'status']),
  svc_http_request_duration_seconds: histogram(
    'seconds',
    'Time from the head of an HTTP request to its answer, or to the opening of its stream.',
    ['method', 'path', 'status'],
    httpSeconds,
  ),
  svc_llm_call_duration_seconds: histogram('seconds', 'Duration of language model calls.', model, llmSeconds),
  svc_llm_estimated_cost_usd_total: counter('US dollars', 'Estimated cost of language model calls.', model),
  svc_llm_input_tokens_total: counter('tokens', 'Tokens sent to language models.', model),
  svc_llm_output_tokens_total: counter('tokens', 'Tokens received from language models.', model),
  svc_provider_up: gauge('1 or 0', 'Whether a provider of language models answers.', ['provider']),
  svc_prompt_cache_read_tokens_total: counter('tokens', 'Tokens read from prompt caches.', model),
  svc_prompt_cache_write_tokens_total: counter('tokens', 'Tokens written to prompt caches.', model),
  svc_tool_results_total: counter('results', 'Results of tool calls.', ['tool', 'outcome']),
  svc_active_sessions: gauge('sessions', 'Sessions that are open now.', []),
  svc_sandbox_activity_total: counter('actions', 'Actions taken in sandboxes.', ['action']),
  svc_sandbox_errors_total: counter('errors', 'Errors of sandboxes.', ['kind']),
  svc_tool_server_up: gauge('1 or 0', 'Whether a tool server answers.', ['server']),
  svc_guardrail_observations_total: counter('observations', 'Verdicts of guardrails.', ['guardrail', 'verdict']),
  svc_sycophancy_score: histogram('score', 'Sycophancy of answers, from 0 to 1.', [], scores),
  svc_evaluation_score: gauge('score', 'Latest score of an evaluation suite.', ['suite']),
  svc_evaluation_regressions_total: counter('regressions', 'Regressions found by evaluation suites.', ['suite']),
  svc_skill_activations_total: counter('activations', 'Activations of skills.', ['skill']),
  svc_skill_outcomes_total: counter('outcomes', 'Outcomes of skills.', ['skill', 'outcome']),
  svc_log_dropped_lines_total: counter('lines', 'Log lines that standard output did not take.', []),
  svc_http_refused_total: counter('requests', 'Requests that a server refused before they reached a surface.', [
    'status',
  ]),
  svc_sse_connections: gauge('connections', 'Event streams that are open now.', ['stream']),
  svc_sse_dropped_events_total: counter(
    'events',
    'Events that were dropped because a reader of a stream was too slow.',
    ['stream'],
  ),
  svc_peer_connections: gauge('connections', 'Connections of peers that are open now.', []),
  svc_peer_exchanges_total: counter('requests', 'Requests of peers (in) and to peers (out) by outcome.', [
    'direction',
    'outcome',
  ]),
  svc_peer_bytes_total: counter('bytes', 'Bytes of bodies in requests of peers (in) and to peers (out).', [
    'direction',
  ]),
  svc_peer_words_total: counter('acknowledgements', 'Acknowledgements of peers for pushes of this node.', ['state']),
  svc_store_log_bytes: gauge('bytes', 'Size of the write-ahead log of the receipt store.', []),
  svc_sync_pushes_total: counter('pushes', 'Pushes by result.', ['result']),
  svc_sync_push_duration_seconds: histogram('seconds', 'Duration of pushes.', [], pushSeconds),
  svc_kbd_commands_total: counter('commands', 'Commands of boards by type and outcome.', ['type', 'outcome']),
  svc_kbd_command_duration_seconds: histogram('seconds', 'Duration of commands of boards.', [], pushSeconds),
  svc_kbd_fold_duration_seconds: histogram(
    'seconds',
    'Time for admitting a command and applying it to its board, inside its transaction.',
    [],
    foldSeconds,
  ),
  svc_kbd_heads: gauge('heads', 'Heads of a project; 1 without concurrent commands.', ['project']),
  svc_kbd_conflicts: gauge('conflicts', 'Open conflicts of a project.', ['project']),
  svc_cluster_engine_up: gauge('1 or 0', 'Whether a database or broker that the nodes of a cluster share answers.', [
    'engine',
  ]),
  svc_cluster_run_appends_up: gauge(
    '1 or 0',
    'Whether a broker takes appends to the runs that the nodes of a cluster share, as `/readyz` has it in `run_appends`.',
    ['engine'],
  ),
  svc_cluster_run_appends_total: counter('appends', 'Appends to runs that the nodes of a cluster share.', ['outcome']),
  svc_cluster_run_append_duration_seconds: histogram(
    'seconds',
    'Time until NATS answered an append, or until it counted as unanswered.',
    ['outcome'],
    appendSeconds,
  ),
  svc_cluster_run_lag: gauge('appends', 'Appends that NATS has and this node had not seen when it looked last.', []),
  svc_cluster_run_consumers: gauge('consumers', 'Consumers of NATS: one for all runs, and one for each in memory.', []),
  svc_cluster_leader_changes_total: counter(
    'changes',
    'Changes of the server of NATS that leads the stream of the runs, as this node saw them.',
    [],
  ),
  svc_cluster_skipped_messages_total: counter(
    'messages',
    'Messages of NATS that no node wrote, and that this node skipped: `run`, `base` or `live`.',
    ['kind'],
  ),
  svc_cluster_key_age_seconds: gauge(
    'seconds',
    'Age of the last answer of PostgreSQL about API keys, at the last attempt to get a new one.',
    [],
  ),
}

function counter<L extends string>(unit: string, help: string, labels: readonly L[]): Family<L> {
  return { type: 'counter', unit, help, labels }
}

function gauge<L extends string>(unit: string, help: string, labels: readonly L[]): Family<L> {
  return { type: 'gauge', unit, help, labels }
}

function histogram<L extends string>(
  unit: string,
  help: string,
  labels: readonly L[],
  buckets: readonly number[],
): Family<L> {
  return { type: 'histogram', unit, help, labels, buckets }
}
