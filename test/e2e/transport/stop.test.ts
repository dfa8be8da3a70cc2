/** SIGTERM with a request in flight: it is answered, and the process ends by itself because nothing holds it any more. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { dial, responses } from './rig.ts'

const test = suite('stop')

for (const transport of ['node', 'uws']) {
  test(`${transport}: a request in flight is answered, then the process ends`, async () => {
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
      const idle = dial(port, 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n')
      await idle.until((text) => text.endsWith('{"status":"ok"}'))
      const slow = dial(port, 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n')
      await heard(/asked/)
      child.kill('SIGTERM')
      const [response] = responses(await slow.closed())
      assert.is(response!.body, '"done"')
      assert.is(response!.headers['connection'], 'close')
      await idle.closed()
      assert.is(await ended, 0)
      assert.match(said, /stopped/)
    } finally {
      child.kill('SIGKILL')
    }
  })
}

test.run()
