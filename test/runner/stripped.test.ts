import { readdirSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { folderWith } from '../support/folder.ts'
import { stripped } from './stripped.ts'

const test = suite('runner: sources without types')

test('types are replaced by blanks, and the result is stored once', () => {
  const folder = folderWith()
  for (let times = 0; times < 2; times++) assert.is(stripped('const a: string = x', folder), 'const a         = x')
  assert.is(readdirSync(folder).length, 1)
})

/** Strips texts as soon as all threads have started. */
const code = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { module, folder, started, threads, texts } = workerData
  import(module).then(({ stripped }) => {
    Atomics.add(started, 0, 1)
    const late = Date.now() + 10_000
    while (Atomics.load(started, 0) < threads && Date.now() < late);
    for (let n = 0; n < texts; n++) stripped('const a: number = ' + n, folder)
  })
`

test('threads of one process that load the same sources at once all get them', async () => {
  const folder = folderWith()
  const [threads, texts] = [2, 300]
  const started = new Int32Array(new SharedArrayBuffer(4))
  const module = new URL('./stripped.ts', import.meta.url).href
  const ended = Array.from({ length: threads }, () => {
    const worker = new Worker(code, { eval: true, workerData: { module, folder, started, threads, texts } })
    return new Promise((resolve, reject) => worker.once('error', reject).once('exit', resolve))
  })
  assert.equal(await Promise.all(ended), [0, 0])
  assert.is(readdirSync(folder).length, texts)
})

test.run()
