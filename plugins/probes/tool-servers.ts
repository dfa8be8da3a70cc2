/** The tool servers of the configuration: asked in the background, so that a probe never waits for one. */
import type { Clock, Timer } from '../../core/environment.ts'
import type { Logger } from '../../core/log.ts'
import type { ToolServers } from './api.ts'

/** What a registry runs with. */
export interface ToolServerOptions {
  /** Addresses by name. */
  readonly servers: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly log: Logger
  readonly intervalMs: number
  /** Longest time that one server may take to answer, in milliseconds. */
  readonly timeoutMs: number
  /** Called with every result. */
  readonly onResult: (name: string, up: boolean) => void
  /** How a server is asked; the platform's fetch. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
}

/** Keeps which tool servers answered when they were last asked. */
export class ToolServerRegistry implements ToolServers {
  readonly #options: ToolServerOptions
  readonly #up: Map<string, boolean> = new Map()
  readonly #gone: AbortController = new AbortController()
  #timer: Timer

  constructor(options: ToolServerOptions) {
    this.#options = options
  }

  isUp(name: string): boolean | undefined {
    return this.#up.get(name)
  }

  /** Begins to ask. Without servers there is nothing to do, and no timer. */
  start(): void {
    if (Object.keys(this.#options.servers).length > 0) void this.#round()
  }

  /** Stops asking, at once. */
  stop(): void {
    this.#gone.abort()
    this.#options.clock.clearTimeout(this.#timer)
  }

  /**
   * That every configured server answered when it was asked last.
   * @throws Error that names those that did not, or were not asked yet
   */
  check(): void {
    const missing = Object.keys(this.#options.servers).filter((name) => this.#up.get(name) !== true)
    if (missing.length > 0) throw new Error(`no answer from ${missing.join(', ')}`)
  }

  async #round(): Promise<void> {
    const { servers, clock, intervalMs } = this.#options
    await Promise.all(Object.entries(servers).map(([name, url]) => this.#ask(name, url)))
    if (this.#gone.signal.aborted) return
    this.#timer = clock.setTimeout(() => void this.#round(), intervalMs)
  }

  async #ask(name: string, url: string): Promise<void> {
    const { fetch, clock, timeoutMs, log, onResult } = this.#options
    const late = new AbortController()
    const timer = clock.setTimeout(() => late.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
    let error: unknown
    try {
      // A redirect is an answer; where it leads is not the server that was configured.
      const signal = AbortSignal.any([late.signal, this.#gone.signal])
      const response = await fetch(url, { redirect: 'manual', signal })
      await response.body?.cancel()
      // Any status below 500 counts as an answer: tool servers answer a plain GET with 404, 405 or 406.
      if (response.status >= 500) error = new Error(`status ${response.status}`)
    } catch (cause) {
      error = cause
    }
    clock.clearTimeout(timer)
    if (this.#gone.signal.aborted) return
    const up = error === undefined
    if (up !== this.#up.get(name)) {
      if (up) log.info('A tool server answers.', { server: name })
      else log.warn('A tool server does not answer.', { server: name, error })
    }
    this.#up.set(name, up)
    onResult(name, up)
  }
}
