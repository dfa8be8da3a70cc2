/** `svc/react`: the hooks in React itself, in its strict mode and on a server. */

import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { createElement, type ReactElement, StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createClient } from '../../../plugins/client/index.ts'
import { type LiveView, type RunView, useLive, useRun } from '../../../plugins/client/react/index.ts'
import { createStore } from '../../../plugins/client/react/store.ts'
import { root } from '../../../scripts/build/paths.ts'
import { settle } from '../../support/held-clock.ts'

const test = suite('client: svc/react')

test('while a page is rendered on a server nothing is opened, and the hooks are idle', () => {
  const client = createClient({
    baseUrl: 'http://svc.test',
    fetch: () => assert.unreachable('nothing is requested') as never,
    share: false,
  })
  const views: unknown[] = []
  const Page = (): ReactElement => {
    views.push(useRun(client, 'r'), useLive(client, 'todos'))
    return createElement('p', null, useRun(client, undefined).state)
  }
  assert.is(renderToString(createElement(StrictMode, null, createElement(Page))), '<p>idle</p>')
  assert.equal(
    (views as (RunView | LiveView)[]).map(({ state }) => state),
    views.map(() => 'idle'),
  )
  assert.is(client.live.state, 'idle')
})

test('a store is open while it has listeners, and one turn is one change', async () => {
  let opened = 0
  let change = (): void => {}
  let value = 0
  const store = createStore(0, {
    open: (changed) => {
      opened++
      change = changed
      return () => opened--
    },
    read: () => value,
  })
  let calls = 0
  const ends = [store.subscribe(() => calls++), store.subscribe(() => calls++)]
  assert.is(opened, 1)
  value = 1
  change()
  value = 2
  change()
  assert.equal([calls, store.view(), store.idle()], [0, 0, 0])
  await settle()
  assert.equal([calls, store.view(), store.idle()], [2, 2, 0])
  for (const end of ends) end()
  assert.is(opened, 0)
  store.subscribe(() => {})()
  assert.is(opened, 0)
})

for (const hook of ['useRun', 'useLive'])
  test(`${hook} is at most 1 KiB with gzip`, async () => {
    const { outputFiles } = await build({
      stdin: { contents: `export { ${hook} } from './plugins/client/react/index.ts'`, resolveDir: root },
      ...{ bundle: true, minify: true, write: false, format: 'esm', target: 'es2023', external: ['react'] },
    })
    const bytes = gzipSync(outputFiles[0]!.contents).length
    assert.ok(bytes <= 1_024, `${bytes} bytes`)
  })

test.run()
