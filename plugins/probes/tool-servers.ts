/** Checks the configured tool servers in the background, so that a probe never waits for a tool server. */
import type { Clock, Timer } from '../../core/kernel/environment.ts'
import type { Logger } from '../../core/kernel/log.ts'
import type { ToolServers } from './api.ts'

/** Options of the registry. */
export interface ToolServerOptions {
  /** Addresses by name. */
  readonly servers: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly log: Logger
  readonly intervalMs: number
  /** Longest time that one server may take to answer, in milliseconds. */
  readonly timeoutMs: number
  /** Called with the result of every check. */
  readonly onResult: (name: string, up: boolean) => void
  /** The `fetch` function of the platform. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
}

/** Records which tool servers answered their last check. */
export class ToolServerRegistry implements ToolServers {
  readonly #options: ToolServerOptions
  readonly #up: Map<string, boolean> = new Map()
  readonly #stopping: AbortController = new AbortController()
  #timer: Timer

  constructor(options: ToolServerOptions) {
    this.#options = options
  }

  isUp(name: string): boolean | undefined {
    return this.#up.get(name)
  }

  /** Starts the checks. Does nothing if no server is configured. */
  start(): void {
    if (Object.keys(this.#options.servers).length > 0) void this.#round()
  }

  /** Stops the checks, and aborts the running ones. */
  stop(): void {
    this.#stopping.abort()
    this.#options.clock.clearTimeout(this.#timer)
  }

  /**
   * Checks that every configured server answered its last check.
   * @throws Error that names the servers that did not answer or have not been checked yet
   */
  check(): void {
    const missing = Object.keys(this.#options.servers).filter((name) => this.#up.get(name) !== true)
    if (missing.length > 0) throw new Error(`no answer from ${missing.join(', ')}`)
  }

  async #round(): Promise<void> {
    const { servers, clock, intervalMs } = this.#options
    await Promise.all(Object.entries(servers).map(([name, url]) => this.#checkOne(name, url)))
    if (this.#stopping.signal.aborted) return
    this.#timer = clock.setTimeout(() => void this.#round(), intervalMs)
  }

  async #checkOne(name: string, url: string): Promise<void> {
    const { fetch, clock, timeoutMs, log, onResult } = this.#options
    const deadline = new AbortController()
    const timer = clock.setTimeout(() => deadline.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
    let error: unknown
    try {
      // A redirect counts as an answer. It is not followed, because its target is not the configured server.
      const signal = AbortSignal.any([deadline.signal, this.#stopping.signal])
      const response = await fetch(url, { redirect: 'manual', signal })
      await response.body?.cancel()
      // Any status below 500 counts as an answer: tool servers answer a plain GET with 404, 405 or 406.
      if (response.status >= 500) error = new Error(`status ${response.status}`)
    } catch (cause) {
      error = cause
    }
    clock.clearTimeout(timer)
    if (this.#stopping.signal.aborted) return
    const up = error === undefined
    if (up !== this.#up.get(name)) {
      if (up) log.info('A tool server answers.', { server: name })
      else log.warn('A tool server does not answer.', { server: name, error })
    }
    this.#up.set(name, up)
    onResult(name, up)
  }
}
