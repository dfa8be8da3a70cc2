/**
 * `svc/ag-ui`: an agent of AG-UI's client for the agents behind the service. Its runs go on when the connection is
 * lost, and it joins the runs of its thread that others have begun.
 */
import {
  AbstractAgent,
  type AgentConfig,
  type AgentSubscriber,
  enforceOutgoingInput,
  type RunAgentInput,
  type RunAgentParameters,
  type RunAgentResult,
  runHttpRequest,
} from '@ag-ui/client'
import { type ClientOptions, contextOf } from '../context.ts'
import { pathOf } from '../path.ts'
import { type Observer, type Reading, ServiceError, ThreadReader } from './thread-reader.ts'

export { ServiceError }

/** Which agent of which service. */
export interface SvcAgentConfig
  extends AgentConfig,
    Pick<ClientOptions, 'baseUrl' | 'token' | 'headers' | 'fetch' | 'schedule' | 'silenceMs'> {
  /** Name of the agent in the setting `realtime.agents` of the service. */
  readonly agent: string
  /** Whether `connect` goes on with the runs that come after the newest one; true if absent. */
  readonly follow?: boolean
}

/** Events, as `AbstractAgent` gives them. */
export type AgentEvents = ReturnType<AbstractAgent['run']>

/**
 * The class Observable of the client. The client does not export it, and another copy of its package would be another
 * class.
 */
const Observable = runHttpRequest(() => new Promise(() => {})).constructor as new (
  subscribe: (observer: Observer) => () => void,
) => AgentEvents

/**
 * An agent behind the service.
 *
 * @example
 * ```ts
 * import { SvcAgent } from 'svc/ag-ui'
 *
 * const agent = new SvcAgent({ baseUrl: 'http://localhost:8787', agent: 'cook', token: 'a token', threadId: 'dinner' })
 * agent.threadId // → 'dinner'
 * ```
 */
export class SvcAgent extends AbstractAgent {
  readonly #config: SvcAgentConfig
  /** What is read now. */
  #reader: ThreadReader | undefined
  /** The end of the last run that this agent has whole, and the thread of it. */
  #at: { readonly threadId: string; readonly cursor: string } | undefined
  /** Calls of `runAgent` under way, and what waits for their end. */
  #runs = 0
  #idle: (() => void)[] = []
  /** Calls of `connectAgent` that are not detached. One of them is connected, and the others wait for its end. */
  readonly #connections = new Set<object>()
  /** The connection that the present part belongs to, and the end of this part. */
  #connected: object | undefined
  #part: Promise<unknown> | undefined

  constructor(config: SvcAgentConfig) {
    super(config)
    this.#config = config
  }

  /** Calls the agent. A lost connection is resumed at its position. The events end with the run. */
  run(input: RunAgentInput): AgentEvents {
    const url = this.#base + pathOf('/api/svc/agents/{agent}', { agent: this.#config.agent })
    let body: string | undefined
    const call = {
      url,
      runId: input.runId,
      // The same bytes at each attempt: they join the run that they have made.
      body: () => (body ??= JSON.stringify(enforceOutgoingInput(input))),
    }
    return this.#events({ threadId: input.threadId, call, one: true })
  }

  /**
   * Joins the newest run of the thread, and follows the next ones. With `follow: false` the events end with that run.
   */
  override connect(input: RunAgentInput): AgentEvents {
    const { threadId } = input
    const { follow = true } = this.#config
    return new Observable((observer) => {
      // It was detached before it began, or a run has been called meanwhile, whose end connects again.
      const isDetached = this.#connected !== undefined && !this.#connections.has(this.#connected)
      if (isDetached || this.#runs > 0) {
        observer.complete()
        return () => {}
      }
      let close: (() => void) | undefined
      let isClosed = false
      const begin = (): void => {
        if (isClosed) return
        const cursor = follow && this.#at?.threadId === threadId ? this.#at.cursor : undefined
        close = this.#read({ threadId, cursor, one: !follow }, observer, true)
      }
      if (follow) begin()
      else
        void this.#hasRuns(threadId).then(
          (has) => {
            if (has) begin()
            else if (!isClosed) observer.complete()
          },
          (error: unknown) => {
            if (!isClosed) observer.error(error)
          },
        )
      return () => {
        isClosed = true
        close?.()
      }
    })
  }

  /** Calls the agent. A connection of `connectAgent` waits for the end of the run, and then goes on behind it. */
  override async runAgent(parameters?: RunAgentParameters, subscriber?: AgentSubscriber): Promise<RunAgentResult> {
    this.#runs++
    try {
      if (this.#part !== undefined) {
        await super.detachActiveRun()
        await this.#part
      }
      return await super.runAgent(parameters, subscriber)
    } finally {
      if (--this.#runs === 0) for (const go of this.#idle.splice(0)) go()
    }
  }

  /** Connects until the connection is detached, or with `follow: false` until the end of the newest run. */
  override async connectAgent(parameters?: RunAgentParameters, subscriber?: AgentSubscriber): Promise<RunAgentResult> {
    const knownIds = new Set(this.messages.map(({ id }) => id))
    const connection = {}
    this.#connections.add(connection)
    let result: unknown
    try {
      do {
        while (this.#runs > 0 || this.#part !== undefined)
          await (this.#part ?? new Promise<void>((resolve) => this.#idle.push(resolve)))
        if (!this.#connections.has(connection)) break
        this.#connected = connection
        const part = super.connectAgent(parameters, subscriber)
        this.#part = part
          .catch(() => {})
          .then(() => {
            this.#part = undefined
            this.#connected = undefined
          })
        result = (await part).result
        await this.#part
      } while (this.#runs > 0)
    } finally {
      this.#connections.delete(connection)
    }
    return { result, newMessages: structuredClone(this.messages.filter(({ id }) => !knownIds.has(id))) }
  }

  /**
   * Cancels the run that is under way, also one that another caller began. `runAgent` and `connectAgent` do not reject
   * because of it.
   */
  override abortRun(): void {
    this.#reader?.cancel()
  }

  /** Stops reading; the run itself goes on. */
  override async detachActiveRun(): Promise<void> {
    this.#connections.clear()
    await super.detachActiveRun()
  }

  override clone(): SvcAgent {
    return Object.assign(new SvcAgent(this.#config), super.clone() as AbstractAgent)
  }

  get #base(): string {
    return (this.#config.baseUrl ?? '').replace(/\/+$/, '')
  }

  #events(reading: Pick<Reading, 'threadId' | 'call' | 'one'>): AgentEvents {
    return new Observable((observer) => this.#read(reading, observer, false))
  }

  /**
   * Begins to read. The returned function stops it. `showsRunning` keeps `isRunning` up to date with the runs of
   * others.
   */
  #read(
    reading: Pick<Reading, 'threadId' | 'call' | 'one' | 'cursor'>,
    observer: Observer,
    showsRunning: boolean,
  ): () => void {
    const { threadId } = reading
    if (showsRunning) this.isRunning = false
    const reader = new ThreadReader({
      ...reading,
      ...{ observer, base: this.#base, context: contextOf(this.#config) },
      onRun: (isOpen, cursor) => {
        // A client that begins anew takes no rest of a run, so only the end of a run is a position to come back to.
        this.#at = isOpen ? undefined : { threadId, cursor }
        if (showsRunning) this.isRunning = isOpen
      },
    })
    this.#reader = reader
    return () => {
      reader.close()
      if (this.#reader === reader) this.#reader = undefined
    }
  }

  async #hasRuns(threadId: string): Promise<boolean> {
    const { fetch, headers } = contextOf(this.#config)
    const url = `${this.#base}/api/svc/runs?${new URLSearchParams({ thread_id: threadId, limit: '1' })}`
    const response = await fetch(url, { headers: { ...(await headers()), accept: 'application/json' } })
    if (!response.ok) throw new ServiceError({ text: String(response.status), status: response.status })
    return ((await response.json()) as { runs: readonly unknown[] }).runs.length > 0
  }
}
