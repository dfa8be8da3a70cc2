/** Tests SIGTERM with bodies that still arrive. test/e2e/telemetry/shutdown.test.ts has requests in flight. */
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Dialled, dial, responses } from './rig.ts'

const test = suite('stop')

/** `server.shutdown_grace_ms` of the child: far longer than what the stop of a busy machine takes. */
const GRACE_MS = 60_000

/** Runs `act` with a service in a separate process. */
async function withChild(
  transport: string,
  act: (child: {
    readonly port: number
    /** Sends SIGTERM. */
    terminate(): void
    readonly ended: Promise<number | null>
  }) => Promise<void>,
): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./stop-child.ts', import.meta.url)), transport], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  const heard = (what: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve) => {
      const check = (): void => {
        const found = what.exec(said)
        if (found === null) return
        child.stdout.off('data', check)
        resolve(found)
      }
      child.stdout.on('data', check)
      check()
    })
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  try {
    const port = Number((await heard(/port (\d+)/))[1])
    await act({ port, terminate: () => child.kill('SIGTERM'), ended })
    assert.is(await ended, 0)
    await heard(/stopped/)
  } finally {
    child.kill('SIGKILL')
  }
}

for (const transport of ['node', 'uws']) {
  test(`${transport}: a stop waits briefly for a stalled body, and longer for a body that still arrives`, () =>
    withChild(transport, async ({ port, terminate, ended }) => {
      const post = (length: number): Dialled =>
        dial(port, `POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\nx`)
      const [still, large, slow] = [post(5), post(500_000), post(60)]
      await sleep(200)
      const fromMs = performance.now()
      terminate()
      // Often, because a body is stalled after a second in which a busy machine writes nothing.
      const trickle = setInterval(() => slow.socket.write('x'), 50)
      const [taken] = responses(await slow.closed(GRACE_MS).finally(() => clearInterval(trickle)))
      assert.equal([taken!.status, taken!.body], [200, '60'])
      for (const one of [still, large]) {
        const [refused] = responses(await one.closed(GRACE_MS))
        assert.is(refused!.status, 408)
        assert.is(refused!.headers['connection'], 'close')
      }
      await ended
      const tookMs = performance.now() - fromMs
      assert.ok(tookMs < GRACE_MS / 2, `${tookMs} ms`)
    }))
}

test.run()
