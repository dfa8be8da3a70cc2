/**
 * Uploads that break off, in a host of the packed library: the log records them as client errors and never at level
 * WARN or ERROR.
 */
import { once } from 'node:events'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { get } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/build/paths.ts'
import { secret } from '../conformance/caller.ts'
import { startChild } from '../support/child.ts'
import { closed } from '../support/closed.ts'
import { folderWith } from '../support/folder.ts'
import { noMemory } from '../support/process-memory.ts'
import { testUnless } from '../support/skip.ts'
import { repeat, toAttacked } from './rig.ts'
import { untilCalm } from './stranger.ts'

const test = suite('hostile: a host of the library')
const library = join(root, 'dist/npm')
const unable = existsSync(join(library, 'node.js')) ? noMemory : 'dist/npm has not been built'

/** The host of docs/embedding.md, with the log of a library on its standard output. */
const host = `
import { createServer } from 'node:http'
import { createRuntime } from 'svc/minimal'
import { toNodeHandler } from 'svc/node'
const settings = { security: { jwt_secret: process.env.JWT_SECRET }, realtime: { topics: ['todos'] } }
const runtime = createRuntime({ settings, log: (entry) => console.log(JSON.stringify(entry)) })
await runtime.ready()
const server = createServer(toNodeHandler(runtime))
server.listen(0, '127.0.0.1', () => console.log('port ' + server.address().port))
process.once('SIGTERM', async () => {
  server.close()
  server.closeAllConnections()
  await runtime.close()
})
`

/** How an upload breaks off: the bytes that are sent, and whether the connection ends with a reset. */
const uploads: readonly (readonly [name: string, head: string, sent: string, isReset: boolean])[] = [
  ['before its first byte', 'Content-Length: 100', '', false],
  ['in the middle', 'Content-Length: 60000', '{"name":"'.padEnd(30_000, 'x'), false],
  ['by a reset', 'Content-Length: 60000', '{"name":"'.padEnd(30_000, 'x'), true],
  ['within a chunk', 'Transfer-Encoding: chunked', '1000\r\n{"name":', false],
  ['between two chunks', 'Transfer-Encoding: chunked', '9\r\n{"name":"\r\n', true],
]
const paths = ['/api/svc/auth/keys', '/api/svc/runs', '/api/live/todos']

testUnless(test, unable, 'uploads that break off', () =>
  untilCalm(async () => {
    const folder = folderWith({ 'host.mjs': host, 'package.json': '{"type":"module"}' })
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(library, join(folder, 'node_modules/svc'))
    const child = startChild(process.execPath, { args: [join(folder, 'host.mjs')], env: { JWT_SECRET: secret } })
    try {
      const [, found] = await child.waitFor(/^port (\d+)$/m)
      const port = Number(found)
      const attacked = toAttacked({ base: `http://127.0.0.1:${port}`, child })
      const { authorization } = attacked.bearer('mallory', ['live:publish'])
      /** Sends a part of a body and disconnects. Returns the answer. */
      const breakOff = async (path: string, head: string, sent: string, isReset: boolean): Promise<string> => {
        const socket = connect(port, '127.0.0.1')
        let answer = ''
        socket.setEncoding('latin1').on('data', (piece: string) => (answer += piece))
        const gone = closed(socket)
        await once(socket, 'connect')
        const lines = [`POST ${path} HTTP/1.1`, 'Host: a', `Authorization: ${authorization}`, head]
        const text = `${lines.join('\r\n')}\r\nContent-Type: application/json\r\n\r\n${sent}`
        await new Promise((done) => socket.write(text, done))
        if (isReset) socket.resetAndDestroy()
        else socket.end()
        await gone
        return answer
      }
      for (const [name, head, sent, isReset] of uploads)
        await repeat(attacked, `an upload that ends ${name}`, async () => {
          const answers = await Promise.all(
            Array.from({ length: 12 }, (_, n) => breakOff(paths[n % paths.length]!, head, sent, isReset)),
          )
          for (const answer of answers) assert.not.match(answer, /^HTTP\/1\.1 (?:2|5)/)
          // A connection may be reset before the host has accepted it. The host accepts this request after those
          // connections: without it they pile up, and their number would be the attack.
          await once(get(`${attacked.base}/health`, { agent: false }), 'response')
        })
      const whole = await fetch(`${attacked.base}/api/svc/runs`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: '{"run_id":"whole"}',
      })
      assert.is(whole.status, 201, await whole.text())
      assert.match(child.out, /"level":"DEBUG".*"code":"client_gone"/)
      assert.not.match(child.out, /"level":"(?:WARN|ERROR)"/)
      assert.is(child.err, '')
    } finally {
      assert.is((await child.stop()).code, 0)
    }
  }),
)

test.run()
