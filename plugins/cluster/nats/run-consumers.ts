import type { Clock } from '../../../core/kernel/environment.ts'
import { Consumer, type ConsumerOptions } from './consumer.ts'
import type { Link } from './link.ts'
import { RUNS } from './names.ts'

/** How often consumers are checked for silence, in milliseconds. */
export const BEAT_MS = 2_000

/** What `RunConsumers` works with. */
export interface RunConsumersOptions {
  readonly link: Link
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** All consumers of the logs of runs. They are renewed on each connection, and after silence. */
export class RunConsumers {
  readonly #options: RunConsumersOptions
  readonly #open = new Set<Consumer>()
  #timer: unknown
  /** The server that leads the stream. */
  leader: string | undefined
  /**
   * Whether new consumers have to be on the server that leads, so that they have the positions by which it judges
   * appends. Before nats-server 2.10.12, copies of a stream may come to have different positions for the same messages.
   */
  isAtLeader = false

  constructor(options: RunConsumersOptions) {
    this.#options = options
  }

  /** Opens a consumer. */
  open(options: Omit<ConsumerOptions, 'stream' | 'clock' | 'connection' | 'onError'>): Consumer {
    const { clock, link, onError } = this.#options
    const consumer = new Consumer({
      ...{ ...options, stream: RUNS, clock, connection: () => link.connection, onError },
      accepts: (server) => !this.isAtLeader || this.leader === undefined || server === this.leader,
    })
    this.#open.add(consumer)
    return consumer
  }

  /** How many are open. */
  get count(): number {
    return this.#open.size
  }

  close(consumer: Consumer): void {
    this.#open.delete(consumer)
    consumer.close()
  }

  /** Renews all consumers; to be called on each connection. */
  renew(): void {
    for (const consumer of this.#open) consumer.renew()
    this.#timer ??= this.#later()
  }

  stop(): void {
    if (this.#timer !== undefined) this.#options.clock.clearTimeout(this.#timer)
    this.#timer = undefined
    for (const consumer of this.#open) consumer.close()
    this.#open.clear()
  }

  #later(): unknown {
    return this.#options.clock.setTimeout(() => {
      for (const consumer of this.#open) consumer.check()
      this.#timer = this.#later()
    }, BEAT_MS)
  }
}
