/** The console of a service with TLS accepts only the certificate of the settings. */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:tls'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { makePair } from '../../support/certificate.ts'
import { folderWith } from '../../support/folder.ts'
import { testUnless } from '../../support/skip.ts'
import { unbuilt } from '../sync/shipped.ts'
import { createConsoleNode, startConsole } from './rig.ts'

const test = suite('svc console: TLS')

testUnless(
  test,
  unbuilt,
  'the console calls its service over TLS, and a server with another certificate gets no byte',
  async () => {
    const folder = folderWith()
    const { crt, key } = makePair(folder, 'server')
    const node = await createConsoleNode({ SVC_SERVER__TLS__CERT: crt, SVC_SERVER__TLS__KEY: key })
    await node.start()
    const shown = await startConsole(node)
    const { runtime } = (await shown.ask('console/session')).json() as { runtime: { origin: string } }
    assert.is(runtime.origin, `https://127.0.0.1:${node.env['SVC_SERVER__PORT']}`)
    assert.equal((await shown.ask('runtime/api/svc/runs')).json(), { runs: [], next: null })
    const stream = await shown.open('runtime/api/live')
    const [first] = (await once(stream.setEncoding('utf8'), 'data')) as [string]
    assert.match(first, /^retry: /)
    stream.destroy()
    await node.stop()

    const other = makePair(folder, 'other')
    let got = 0
    const stranger = createServer({ cert: readFileSync(other.crt), key: readFileSync(other.key) }, (socket) => {
      socket.on('data', (bytes) => {
        got += bytes.length
      })
      socket.on('error', () => undefined)
    })
    stranger.listen(Number(node.env['SVC_SERVER__PORT']), '127.0.0.1')
    await once(stranger, 'listening')
    for (let tries = 0; tries < 3; tries++) {
      const answer = await shown.ask('runtime/api/svc/runs')
      assert.equal([answer.status, answer.json().error?.code], [502, 'service_away'])
      assert.match(answer.json().error!.message, /another certificate than/)
    }
    assert.is(got, 0)
    stranger.close()
    await shown.stop()
  },
)

test.run()
