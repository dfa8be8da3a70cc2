/** What every server promises, whichever carries it. */
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import { json } from '../../../core/http/reply.ts'
import type { Plugin } from '../../../core/plugin.ts'
import { type Rig, responses, startRig } from './rig.ts'

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`

/** Adds the cases to `test`. `settings` are added to those of each case. */
export function addCases(test: Test, transports: readonly Plugin[], settings: Readonly<Record<string, unknown>>): void {
  let rig: Rig | undefined
  const start = async (
    ...args: Parameters<typeof startRig> extends [unknown, ...infer R] ? R : never
  ): Promise<Rig> => {
    const [routes, more] = args
    rig = await startRig(transports, routes, { ...settings, ...more })
    return rig
  }
  test.after.each(async () => {
    await rig?.stop()
    rig = undefined
  })

  test('answers on a kept connection, in order', async () => {
    const { dial } = await start()
    const client = dial(get('/health'))
    await client.until((text) => text.includes('}'))
    client.socket.write(get('/nothing'))
    const [first, second] = responses(await client.until((text) => responses(text).length === 2))
    assert.is(first!.status, 200)
    assert.is(first!.headers['content-type'], 'application/json')
    assert.is(first!.body, '{"status":"ok"}')
    assert.is(second!.status, 404)
    assert.is(JSON.parse(second!.body).error.code, 'not_found')
  })

  test('answers pipelined requests in order', async () => {
    const { dial } = await start([{ path: '/b', handler: () => json(200, 'b') }])
    const text = await dial(get('/health') + get('/b') + get('/health')).until((text) => responses(text).length === 3)
    assert.equal(
      responses(text).map(({ body }) => body),
      ['{"status":"ok"}', '"b"', '{"status":"ok"}'],
    )
  })
}
