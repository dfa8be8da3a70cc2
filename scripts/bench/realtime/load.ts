/** The load generator: many readers in a C program on the second core, and one publisher in this process. */
import { spawn, spawnSync } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { pinned } from '../harness/processes.ts'
import type { Contestant } from './contestants.ts'

/** The results of one measurement. */
export interface Measured {
  readonly deliveries: number
  readonly seconds: number
  /** Fraction of the time for which the reading program used its core. Near 1 the reading program is the bottleneck. */
  readonly readerBusy: number
  /** Delay of a delivery, in microseconds. */
  readonly p50: number
  readonly p99: number
}

/** Readers of one contestant. */
export interface Readers {
  /** Calls `publish`, which returns the number of published events, and waits for every delivery. */
  measure(publish: () => Promise<number>): Promise<Measured>
  stop(): Promise<void>
}

/** Compiles the reading program. Returns undefined, with the reason on stderr, if there is no C compiler. */
export function compileLoad(folder: string): string | undefined {
  const file = join(folder, 'load')
  const { status, error } = spawnSync(
    'cc',
    ['-O2', '-D_GNU_SOURCE', '-o', file, fileURLToPath(new URL('./load.c', import.meta.url))],
    { stdio: 'inherit' },
  )
  if (status === 0) return file
  process.stderr.write(`The load program cannot be compiled: ${error?.message ?? `cc ended with ${status}`}.\n`)
  return undefined
}

/** Opens connections to a contestant. */
export async function openReaders(
  load: string,
  { port, listenPath, header }: Contestant,
  connections: number,
): Promise<Readers> {
  const headerArgs = header === undefined ? [] : [header]
  const [file, ...args] = pinned(1, [load, String(port), listenPath, String(connections), ...headerArgs])
  const child = spawn(file!, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const ask = async (order: string): Promise<string[]> => {
    if (order !== '') child.stdin!.write(`${order}\n`)
    const { value, done } = await lines.next()
    if (done) throw new Error('the load program ended')
    return (value as string).split(' ')
  }
  await ask('')
  return {
    measure: async (publish) => {
      await ask('reset')
      const events = await publish()
      const [, got, seconds, cpu, p50, p99] = (await ask(`wait ${events * connections}`)).map(Number)
      if (got !== events * connections) throw new Error(`${got} of ${events * connections} deliveries came`)
      return { deliveries: got!, seconds: seconds!, readerBusy: cpu! / seconds!, p50: p50!, p99: p99! }
    },
    stop: async () => {
      child.stdin!.write('quit\n')
      await exited
    },
  }
}

/** Publishes over one kept-alive connection, like a backend. */
export class Publisher {
  readonly #socket: Socket
  readonly #head: string
  #answered = 0
  #waiting: { count: number; resolve: () => void } | undefined
  #tail = ''

  constructor({ port, publishPath, header }: Contestant) {
    const headerLine = header === undefined ? '' : `${header}\r\n`
    this.#head = `POST ${publishPath} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headerLine}Content-Type: application/json\r\n`
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true })
    this.#socket.on('data', (chunk) => {
      const text = this.#tail + chunk.toString('latin1')
      this.#answered += text.split('HTTP/1.1 20').length - 1
      this.#tail = /HTTP\/1\.1 ?2?0?$|H[TP/1. ]*$/.exec(text)?.[0] ?? ''
      if (this.#waiting !== undefined && this.#answered >= this.#waiting.count) this.#waiting.resolve()
    })
  }

  /** Sends a number of events at once, and waits until the server has accepted all of them. */
  async send(count: number): Promise<void> {
    const answered = this.#answer(this.#answered + count)
    this.#write(count)
    await answered
  }

  /**
   * Sends events at a fixed rate, without waiting until the server has accepted the previous event: a publisher that
   * waited for a slow server would hide its delays. Resolves when the server has accepted all events.
   */
  async sendSteadily(count: number, perSecond: number): Promise<void> {
    const answered = this.#answer(this.#answered + count)
    const beganMs = performance.now()
    for (let i = 0; i < count; i++) {
      const dueMs = beganMs + (i * 1_000) / perSecond
      const waitMs = dueMs - performance.now()
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
      this.#write(1)
    }
    await answered
  }

  #answer(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = { count, resolve }
    })
  }

  #write(count: number): void {
    let requests = ''
    for (let i = 0; i < count; i++) {
      const t = process.hrtime.bigint().toString().padStart(19, '0')
      const body = `{"identifier":"todo-1","operation":"update","data":{"t":"${t}","title":"a title of ordinary length"}}`
      requests += `${this.#head}Content-Length: ${body.length}\r\n\r\n${body}`
    }
    this.#socket.write(requests)
  }

  close(): void {
    this.#socket.destroy()
  }
}
