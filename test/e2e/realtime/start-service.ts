import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { Order, Report } from './service.ts'

/** The service of a test, in a separate process. */
export interface Service {
  readonly origin: string
  readonly port: number
  readonly pid: number
  send(order: Order): void
  /** Sends an order and waits for its answer. */
  ask<Answer>(order: Order): Promise<Answer>
  report(): Promise<Report>
  readonly exited: Promise<number | null>
  stop(): Promise<number | null>
}

/** Starts the service with nested settings. `script` is served as /client.js. */
export async function startService(
  settings: Record<string, Record<string, unknown>> = {},
  script = '',
): Promise<Service> {
  const given = { ...settings, server: { port: 0, transport: 'node', ...settings['server'] } }
  const child: ChildProcess = fork(join(import.meta.dirname, 'service.ts'), [JSON.stringify(given), script], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const endWithUs = (): void => void child.kill('SIGKILL')
  process.once('exit', endWithUs)
  void exited.then(() => process.removeListener('exit', endWithUs))
  const answer = <Answer>(): Promise<Answer> =>
    new Promise((resolve) => child.once('message', (message) => resolve(message as Answer)))
  const { address } = await answer<{ address: string }>()
  const port = Number(address.split(':').at(-1))
  const ask = <Answer>(order: Order): Promise<Answer> => {
    const answered = answer<Answer>()
    child.send(order)
    return answered
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid!,
    send: (order) => void child.send(order),
    ask,
    report: () => ask<Report>({ do: 'report' }),
    exited,
    stop: () => {
      if (child.connected) child.send({ do: 'stop' } satisfies Order)
      return exited
    },
  }
}
