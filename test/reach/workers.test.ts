/**
 * Workers across requests: a plain worker that creates its runtime while its modules load, and the Durable Object of
 * docs/examples/worker.
 */
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/build/paths.ts'
import { secret, tokenFor } from '../conformance/caller.ts'
import { folderWith } from '../support/folder.ts'
import { testUnless } from '../support/skip.ts'
import { makeProject, unpacked } from './project.ts'
import { bundleWorker, startWorker, type Worker, workerd } from './runtimes/workerd.ts'
import { dataIn } from './suite/minimal.ts'

const test = suite('reach: workers')
const missing = unpacked ?? workerd.absent

const plain = `import { createRuntime } from 'svc/minimal'
const settings = { security: { jwt_secret: '${secret}' }, realtime: { heartbeat_ms: 100 } }
export default createRuntime({ settings })
`
const events = ['RUN_STARTED', 'RUN_FINISHED'].map((type) => ({ type, threadId: 't', runId: 'r' }))

/** Checks a worker. Each call is a separate request. */
async function check({ origin }: Worker): Promise<void> {
  const headers = { authorization: `Bearer ${tokenFor({ user: 'ada' })}`, 'content-type': 'application/json' }
  const post = async (path: string, body: unknown): Promise<Response> => {
    const answer = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
    await answer.clone().text()
    return answer
  }
  const key = await post('/api/svc/auth/keys', { name: 'reach' })
  assert.is(key.status, 201)
  const keyHeaders = { 'x-api-key': ((await key.json()) as { key: string }).key }
  assert.is((await fetch(`${origin}/api/svc/runs`, { headers: keyHeaders })).status, 200)

  assert.is((await post('/api/svc/runs', { run_id: 'r' })).status, 201)
  const first = await fetch(`${origin}/api/svc/runs/r/stream`, { headers })
  const second = await fetch(`${origin}/api/svc/runs/r/stream`, { headers })
  assert.is((await post('/api/svc/runs/r/events', events[0])).status, 200)
  // Ends the request that opened the first stream.
  const reader = first.body!.getReader()
  await reader.read()
  await reader.cancel()
  assert.is((await post('/api/svc/runs/r/events', events[1])).status, 200)
  assert.equal(dataIn(await second.text()), events)
}

testUnless(test, missing, 'a plain worker keeps its runtime across requests', async () => {
  const { folder } = makeProject(folderWith())
  writeFileSync(join(folder, 'plain.js'), plain)
  const worker = await startWorker({ folder, modules: [await bundleWorker(folder, 'plain.js')] })
  try {
    await check(worker)
  } finally {
    await worker.stop()
  }
})

testUnless(test, missing, 'the Durable Object of docs/examples/worker keeps its runtime across requests', async () => {
  const { folder } = makeProject(folderWith())
  cpSync(join(root, 'docs/examples/worker'), folder, { recursive: true })
  const main = await bundleWorker(folder, 'worker.mjs')
  const worker = await startWorker({ folder, modules: [main], durable: 'Svc', texts: { JWT_SECRET: secret } })
  try {
    await check(worker)
  } finally {
    await worker.stop()
  }
})

test.run()
