/**
 * `svc peer rotate` is killed at its critical steps. The next start has one key, and an audit chain that is valid with
 * it.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startChild } from '../../support/child.ts'
import { createFolder, createSigner } from '../../unit/sync/platforms.ts'
import { startNode } from './nodes.ts'

const alice = createSigner()

async function rotate(folder: string, at: string): Promise<{ readonly id: string; readonly signal: string | null }> {
  const args = ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'rotate-child.ts'), folder, at]
  const child = startChild(process.execPath, { args })
  const { signal } = await child.exited
  return { id: child.out.trim(), signal }
}

for (const at of ['before', 'after'])
  test(`killed ${at} the entry in the audit chain: the key matches the chain, and the rotation can be repeated`, async () => {
    const folder = createFolder()
    const before = await startNode({ folder })
    await before.enrol(alice, ['kbd-control:demo'])
    await before.act(alice, { type: 'board.create', boardId: randomUUID(), title: 'Release' })
    await before.stop()

    assert.is((await rotate(folder, at)).signal, 'SIGKILL')
    const after = await startNode({ folder })
    assert.is(after.id !== before.id, at === 'after')
    const verdict = async (): Promise<unknown> => (await after.send({ path: '/api/v1/audit/verify' })).json()['ok']
    assert.is(await verdict(), true)
    await after.act(alice, { type: 'board.create', boardId: randomUUID(), title: 'Other' })
    assert.is(await verdict(), true)
    await after.stop()

    const again = await rotate(folder, 'nowhere')
    assert.is(again.signal, null)
    const last = await startNode({ folder })
    assert.is(last.id, again.id)
    assert.is.not(last.id, after.id)
    assert.equal((await last.send({ path: '/api/v1/audit/verify' })).json()['ok'], true)
    await last.stop()
  })

test.run()
