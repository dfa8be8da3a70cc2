/** Starts calls of agents: loaded where an agent is configured. */
import type { Counter, Gauge, Histogram } from '../../../core/declare/metric.ts'
import { json, type Reply } from '../../../core/http/reply.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import type { Clock } from '../../../core/kernel/environment.ts'
import type { Logger } from '../../../core/kernel/log.ts'
import type { Delegation } from '../../auth/api.ts'
import type { AgentRun, AgentRuns, Runs } from '../runs/api.ts'
import type { AgentFailure, NamedAgent } from './access.ts'
import { AgentCall, type AgentCallNumbers } from './agent-call.ts'
import { type AgentCallLimits, AgentCalls } from './agent-calls.ts'
import { isSame, readInput } from './agent-input.ts'
import type { AgentSettings } from './settings.ts'

/** What the starter needs. */
export interface AgentStarterOptions {
  readonly runs: AgentRuns
  readonly records: Pick<Runs, 'get'>
  readonly delegation: Delegation | undefined
  readonly numbers: AgentCallLimits & AgentCallNumbers & { readonly maxIdBytes: number }
  readonly clock: Clock
  readonly log: Logger
  /** The last failure of each agent, kept here. */
  readonly failures: Map<string, AgentFailure>
  readonly metrics: {
    readonly active: Gauge<'agent'>
    readonly calls: Counter<'agent' | 'end'>
    readonly first: Histogram<'agent'>
    readonly unknown: Counter<'agent'>
  }
}

/** Calls agents for the callers of this process. */
export class AgentStarter {
  readonly #options: AgentStarterOptions
  readonly #calls: AgentCalls

  constructor(options: AgentStarterOptions) {
    this.#options = options
    this.#calls = new AgentCalls(options.numbers, options.delegation)
  }

  /**
   * Calls an agent, or joins the run that the same request has made.
   * @throws SvcError `malformed_request`, `run_exists`, `rate_limited`, `overloaded`
   */
  async start(request: SvcRequest, called: NamedAgent): Promise<Reply> {
    const { runs, records, numbers } = this.#options
    const [name] = called
    const owner = { user_id: request.identity.user, tenant_id: request.identity.tenant }
    const body = await request.body()
    const input = await readInput(name, body, numbers.maxIdBytes)
    const wish = { run_id: input.runId, thread_id: input.threadId, agent: name }
    const isThere = async (): Promise<boolean> => {
      const started = await runs.started(owner, input.runId)
      return started !== undefined && isSame(started, input)
    }
    let joined = await isThere()
    if (!joined) {
      const release = this.#calls.admit(request.identity)
      try {
        this.#call(called, await runs.begin(owner, wish, input.started), request, body, release)
      } catch (error) {
        release()
        // The same request may have been faster.
        joined = await isThere()
        if (!joined) throw error
      }
    }
    const path = `/api/svc/runs/${encodeURIComponent(input.runId)}`
    const headers = { location: path, ...(joined && { 'svc-run-joined': 'true' }) }
    if (prefersJson(request)) return json(202, await records.get(owner, input.runId), headers)
    const reply = await runs.open(request, owner, input.runId)
    return { ...reply, headers: { ...reply.headers, ...headers } }
  }

  /** As of `AgentCalls`. */
  drain(graceMs: number): Promise<void> {
    return this.#calls.drain(this.#options.clock, graceMs)
  }

  /** Ends the calls that are under way, with their runs. */
  stop(): Promise<void> {
    return this.#calls.stop()
  }

  /** Calls an agent for a run that has begun. */
  #call([name, agent]: NamedAgent, run: AgentRun, request: SvcRequest, body: Uint8Array, release: () => void): void {
    const { clock, log, numbers, metrics, failures } = this.#options
    const sinceMs = clock.monotonic()
    metrics.active.move({ agent: name }, 1)
    const call = new AgentCall({
      ...{ ...numbers, agent, run, body, clock, log },
      headers: headersOf(agent, request, run.record.run_id),
      onFirst: () => metrics.first.observe({ agent: name }, (clock.monotonic() - sinceMs) / 1_000),
      onUnknown: (events) => metrics.unknown.add({ agent: name }, events),
    })
    this.#calls.add(call)
    if (agent.onDisconnect === 'cancel' || request.header('svc-on-disconnect') === 'cancel') call.watchReaders()
    void call.done.then((end) => {
      release()
      run.release()
      metrics.active.move({ agent: name }, -1)
      metrics.calls.add({ agent: name, end })
      if (end === 'agent' || end === 'cancelled') return
      failures.set(name, { code: end, atMs: clock.now() })
      log.warn('A call of an agent failed.', { agent: name, code: end })
    })
  }
}

/** Whether a caller wants the record instead of the stream. A stock client asks for an event stream. */
function prefersJson(request: SvcRequest): boolean {
  const accepted = request.header('accept') ?? ''
  return /application\/json/i.test(accepted) && !/text\/event-stream|\*\/\*/i.test(accepted)
}

/** The headers of a call. Nothing of the caller's own headers is passed on. */
export function headersOf(
  agent: AgentSettings,
  { identity: { user, tenant, actor }, trace }: Pick<SvcRequest, 'identity' | 'trace'>,
  runId: string,
): Readonly<Record<string, string>> {
  const agentHeaders = Object.entries(agent.headers).map(([name, value]) => [name, value.reveal()])
  return {
    ...Object.fromEntries(agentHeaders),
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'accept-encoding': 'identity',
    ...(trace !== undefined && { traceparent: `00-${trace.traceId}-${trace.spanId}-01` }),
    ...(user !== null && { 'svc-user': encoded(user) }),
    ...(tenant !== null && { 'svc-tenant': encoded(tenant) }),
    ...(actor !== undefined && { 'svc-actor': encoded(actor) }),
    'svc-run': encoded(runId),
  }
}

/** UTF-8 in percent-encoding, because a header carries Latin-1 alone. Half of a surrogate pair becomes U+FFFD. */
function encoded(text: string): string {
  return encodeURIComponent(new TextDecoder().decode(new TextEncoder().encode(text)))
}
