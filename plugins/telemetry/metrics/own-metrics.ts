/** The metrics of HTTP requests and of the capability `Telemetry`. All others are declared where they are counted. */
import {
  type Counter,
  counter,
  type Gauge,
  gauge,
  type Histogram,
  histogram,
  type Metric,
} from '../../../core/declare/metric.ts'

const model = ['provider', 'model'] as const
const httpLabels = ['method', 'path', 'status'] as const
/** A short answer of a fast model takes 0.1 s, a long answer of a slow model two minutes. */
const llmSeconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120]

type Of<I> = Metric<I> | undefined
type Http = (typeof httpLabels)[number]
type Model = (typeof model)[number]

/** The two metrics of HTTP requests, which ./http-metrics.ts counts. */
export const httpMetrics: { readonly requests: Of<Counter<Http>>; readonly seconds: Of<Histogram<Http>> } = {
  requests: counter('svc_http_requests_total', {
    unit: 'requests',
    help: 'HTTP requests answered.',
    labels: httpLabels,
  }),
  seconds: histogram('svc_http_request_duration_seconds', {
    unit: 'seconds',
    help: 'Time from the head of an HTTP request to its answer, or to the opening of its stream.',
    labels: httpLabels,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  }),
}

/** The build, and what plugins record through the capability. */
export const ownMetrics: {
  readonly build: Of<Gauge<'version' | 'profile' | 'commit'>>
  readonly llmSeconds: Of<Histogram<Model>>
  readonly llmCost: Of<Counter<Model>>
  readonly inputTokens: Of<Counter<Model>>
  readonly outputTokens: Of<Counter<Model>>
  readonly providerUp: Of<Gauge<'provider'>>
  readonly cacheReadTokens: Of<Counter<Model>>
  readonly cacheWriteTokens: Of<Counter<Model>>
  readonly toolResults: Of<Counter<'tool' | 'outcome'>>
  readonly sessions: Of<Gauge>
  readonly sandboxActivity: Of<Counter<'action'>>
  readonly sandboxErrors: Of<Counter<'kind'>>
  readonly guardrails: Of<Counter<'guardrail' | 'verdict'>>
  readonly sycophancy: Of<Histogram>
  readonly evaluation: Of<Gauge<'suite'>>
  readonly regressions: Of<Counter<'suite'>>
  readonly skillActivations: Of<Counter<'skill'>>
  readonly skillOutcomes: Of<Counter<'skill' | 'outcome'>>
} = {
  build: gauge('svc_build_info', {
    unit: '1',
    help: 'Always 1; the labels say which build runs.',
    labels: ['version', 'profile', 'commit'],
  }),
  llmSeconds: histogram('svc_llm_call_duration_seconds', {
    unit: 'seconds',
    help: 'Duration of language model calls.',
    labels: model,
    buckets: llmSeconds,
  }),
  llmCost: counter('svc_llm_estimated_cost_usd_total', {
    unit: 'US dollars',
    help: 'Estimated cost of language model calls.',
    labels: model,
  }),
  inputTokens: counter('svc_llm_input_tokens_total', {
    unit: 'tokens',
    help: 'Tokens sent to language models.',
    labels: model,
  }),
  outputTokens: counter('svc_llm_output_tokens_total', {
    unit: 'tokens',
    help: 'Tokens received from language models.',
    labels: model,
  }),
  providerUp: gauge('svc_provider_up', {
    unit: '1 or 0',
    help: 'Whether a provider of language models answers.',
    labels: ['provider'],
  }),
  cacheReadTokens: counter('svc_prompt_cache_read_tokens_total', {
    unit: 'tokens',
    help: 'Tokens read from prompt caches.',
    labels: model,
  }),
  cacheWriteTokens: counter('svc_prompt_cache_write_tokens_total', {
    unit: 'tokens',
    help: 'Tokens written to prompt caches.',
    labels: model,
  }),
  toolResults: counter('svc_tool_results_total', {
    unit: 'results',
    help: 'Results of tool calls.',
    labels: ['tool', 'outcome'],
  }),
  sessions: gauge('svc_active_sessions', { unit: 'sessions', help: 'Sessions that are open now.' }),
  sandboxActivity: counter('svc_sandbox_activity_total', {
    unit: 'actions',
    help: 'Actions taken in sandboxes.',
    labels: ['action'],
  }),
  sandboxErrors: counter('svc_sandbox_errors_total', {
    unit: 'errors',
    help: 'Errors of sandboxes.',
    labels: ['kind'],
  }),
  guardrails: counter('svc_guardrail_observations_total', {
    unit: 'observations',
    help: 'Verdicts of guardrails.',
    labels: ['guardrail', 'verdict'],
  }),
  sycophancy: histogram('svc_sycophancy_score', {
    unit: 'score',
    help: 'Sycophancy of answers, from 0 to 1.',
    buckets: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
  }),
  evaluation: gauge('svc_evaluation_score', {
    unit: 'score',
    help: 'Latest score of an evaluation suite.',
    labels: ['suite'],
  }),
  regressions: counter('svc_evaluation_regressions_total', {
    unit: 'regressions',
    help: 'Regressions found by evaluation suites.',
    labels: ['suite'],
  }),
  skillActivations: counter('svc_skill_activations_total', {
    unit: 'activations',
    help: 'Activations of skills.',
    labels: ['skill'],
  }),
  skillOutcomes: counter('svc_skill_outcomes_total', {
    unit: 'outcomes',
    help: 'Outcomes of skills.',
    labels: ['skill', 'outcome'],
  }),
}
