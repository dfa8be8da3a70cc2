/**
 * One call of an agent. An agent writes its events into one HTTP response, which ends with the connection that carries
 * it. Here this service holds that connection, and writes the events to a run, which any number of readers joins and
 * leaves.
 */

import { SvcError } from '../../../core/declare/errors.ts'
import type { Clock } from '../../../core/kernel/environment.ts'
import type { Logger } from '../../../core/kernel/log.ts'
import { cancelled } from '../errors.ts'
import type { AgentRun } from '../runs/api.ts'
import { type AgentEvent, AgentEvents, AgentFault, invalid, invalidEvent } from './agent-events.ts'
import type { AgentSettings } from './settings.ts'

/** Limits of a call. */
export interface AgentCallNumbers {
  /** Bounds one event. */
  readonly runMaxBytes: number
  /** Bounds the events of one append. */
  readonly runMaxEvents: number
}

/** What a call needs. */
export interface AgentCallOptions extends AgentCallNumbers {
  readonly agent: AgentSettings
  readonly run: AgentRun
  /** The body of the request, passed on as it came. */
  readonly body: Uint8Array
  readonly headers: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly log: Logger
  /** Called once, before the first event that came is appended. */
  readonly onFirst: () => void
  /** Called for events of unknown types that were left out. */
  readonly onUnknown: (events: number) => void
}

/** Most bytes of events that are appended at once, so that no other run waits long. */
const BATCH_CHARS = 262_144

/**
 * Longest time in milliseconds that reading waits for a store that is away; later the run ends as soon as the store is
 * back.
 */
const STORE_WAIT_MS = 30_000

/** Time between two attempts of an append. */
const RETRY_MS = 200

/** A run without readers is cancelled after this time, if that was asked for. */
const GONE_MS = 1_000

/** A running call. */
export class AgentCall {
  /**
   * Resolves with how the run ended, in the words of the metrics: `agent`, `cancelled`, or the code of its RUN_ERROR.
   */
  readonly done: Promise<string>
  readonly #options: AgentCallOptions
  readonly #abort = new AbortController()
  #fault: AgentFault | undefined

  constructor(options: AgentCallOptions) {
    this.#options = options
    const { ended, lost } = options.run
    ended.addEventListener('abort', () => this.#abort.abort())
    lost.addEventListener('abort', () => this.stop('svc.run.store_unavailable', 'The store of the runs was away.'))
    this.done = this.#run()
  }

  /** Ends the call and the run. */
  stop(code: string, message: string): void {
    this.#fault ??= new AgentFault(code, message)
    this.#abort.abort()
  }

  /** Cancels the run once all its readers have been gone for a second. */
  watchReaders(): void {
    const { clock, run } = this.#options
    let goneSince: number | undefined
    const look = async (): Promise<void> => {
      if (this.#abort.signal.aborted) return
      if (await run.isRead()) goneSince = undefined
      else goneSince ??= clock.monotonic()
      if (goneSince !== undefined && clock.monotonic() - goneSince >= GONE_MS)
        this.stop(cancelled.code, cancelled.message)
      else clock.setTimeout(() => void look(), GONE_MS / 4)
    }
    void look()
  }

  async #run(): Promise<string> {
    const { run, log } = this.#options
    try {
      await this.#read()
    } catch (error) {
      if (run.ended.aborted) return this.#over()
      this.#fault ??=
        error instanceof AgentFault
          ? error
          : new AgentFault('svc.agent.unreachable', 'The agent could not be read to its end.')
      if (!(error instanceof AgentFault)) log.debug('A call of an agent failed.', { error })
    } finally {
      this.#abort.abort()
    }
    if (this.#fault === undefined || run.ended.aborted) return this.#over()
    const { code, message } = this.#fault
    await this.#append([{ type: 'RUN_ERROR', code, message }], Infinity)
    return code === cancelled.code ? 'cancelled' : code
  }

  #over(): string {
    return this.#options.run.record.status === 'running' || this.#fault?.code === cancelled.code ? 'cancelled' : 'agent'
  }

  async #read(): Promise<void> {
    const { agent, run, body, headers, clock, runMaxBytes, onFirst, onUnknown } = this.#options
    const max = clock.setTimeout(
      () => this.stop('svc.agent.limit', `The agent did not end within ${agent.maxMs} ms.`),
      agent.maxMs,
    )
    let idle: unknown
    const wait = (): void => {
      clock.clearTimeout(idle)
      idle = clock.setTimeout(
        () => this.stop('svc.agent.idle', `The agent sent nothing for ${agent.idleMs} ms.`),
        agent.idleMs,
      )
    }
    wait()
    try {
      const response = await this.#connect(agent.url, body, headers)
      const events = new AgentEvents({ runId: run.record.run_id, threadId: run.record.thread_id }, runMaxBytes)
      let first = true
      const take = async (taken: readonly AgentEvent[]): Promise<boolean> => {
        if (events.unknown > 0) onUnknown(events.unknown)
        events.unknown = 0
        if (taken.length > 0 && first) {
          first = false
          onFirst()
        }
        return taken.length > 0 && (await this.#take(taken))
      }
      for await (const bytes of response) {
        wait()
        if (await take(events.push(bytes))) return
        // The time that the store takes does not count.
        wait()
      }
      if (!(await take(events.end())))
        throw new AgentFault('svc.agent.ended', 'The agent closed the stream before the end of the run.')
    } finally {
      clock.clearTimeout(max)
      clock.clearTimeout(idle)
    }
  }

  async #connect(
    url: string,
    body: Uint8Array,
    headers: Readonly<Record<string, string>>,
  ): Promise<ReadableStream<Uint8Array>> {
    let response: Response
    try {
      response = await fetch(url, {
        ...{ method: 'POST', headers, redirect: 'manual', signal: this.#abort.signal },
        body: body as Uint8Array<ArrayBuffer>,
      })
    } catch (error) {
      if (this.#abort.signal.aborted) throw error
      throw new AgentFault('svc.agent.unreachable', 'The agent cannot be reached.')
    }
    if (response.status !== 200) {
      await response.body?.cancel()
      throw new AgentFault('svc.agent.unreachable', `The agent answered with status ${response.status}.`)
    }
    const type = response.headers.get('content-type') ?? ''
    if (response.body === null || !/^text\/event-stream\s*(?:;|$)/i.test(type)) {
      await response.body?.cancel()
      throw new AgentFault(
        'svc.agent.not_an_event_stream',
        'The agent answered with something other than an event stream.',
      )
    }
    return response.body
  }

  /** Appends events, in batches. True if the run is over; whatever the agent sends after that is not read. */
  async #take(events: readonly AgentEvent[]): Promise<boolean> {
    const { runMaxEvents } = this.#options
    let batch: object[] = []
    let room = BATCH_CHARS
    for (const { event, chars } of events) {
      batch.push(event)
      room -= chars
      if (room > 0 && batch.length < runMaxEvents) continue
      if (await this.#appendLegal(batch)) return true
      batch = []
      room = BATCH_CHARS
    }
    return batch.length > 0 && this.#appendLegal(batch)
  }

  /**
   * Appends events. Of a batch with an event that cannot be taken, those before it are kept. True if the run is over.
   */
  async #appendLegal(events: readonly object[]): Promise<boolean> {
    try {
      return await this.#append(events, STORE_WAIT_MS)
    } catch (error) {
      const isRefused = error instanceof AgentFault && error.code === invalidEvent
      if (!isRefused || events.length === 1) throw error
    }
    const half = events.length >> 1
    return (await this.#appendLegal(events.slice(0, half))) || this.#appendLegal(events.slice(half))
  }

  /** Appends events, and repeats that while the store is away. True if the run is over. @throws AgentFault */
  async #append(events: readonly object[], limitMs: number): Promise<boolean> {
    const { run, clock } = this.#options
    const since = clock.monotonic()
    for (;;) {
      try {
        return (await run.append(events)).status !== 'running'
      } catch (error) {
        if (run.ended.aborted) return true
        const code = error instanceof SvcError ? error.code : ''
        if (!['overloaded', 'append_unknown', 'rate_limited'].includes(code)) {
          // The end of a run is always legal, unless another end came first.
          if (limitMs === Infinity) return true
          throw faultOf(error, code)
        }
        if (clock.monotonic() - since > limitMs)
          throw new AgentFault('svc.run.store_unavailable', 'The events of the agent could not be stored.')
        if (this.#fault !== undefined && limitMs !== Infinity) throw this.#fault
        await new Promise<void>((resolve) => clock.setTimeout(resolve, RETRY_MS))
      }
    }
  }
}

function faultOf(error: unknown, code: string): AgentFault {
  if (code === 'payload_too_large')
    return new AgentFault('svc.agent.limit', 'The agent sent more at once than a run retains.')
  return invalid(error instanceof SvcError ? error.message.replace(/\.$/, '') : 'it is not possible here')
}
