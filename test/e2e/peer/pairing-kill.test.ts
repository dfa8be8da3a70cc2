/**
 * A process is killed at each step of a pairing, and started again. Nobody repeats a command, and both nodes have
 * entered each other, with the devices of both.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readEntries, readJoins } from '../../../plugins/peer/registry/statements.ts'
import { storagePath } from '../../../plugins/sync/store-sqlite/file-store.ts'
import { type Child, startChild } from '../../support/child.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createFolder, createSigner, createServer as createStore, type Signer } from '../../unit/sync/platforms.ts'
import { sendTo } from '../sync/daemon.ts'
import { isLostConnection } from '../sync/shipped.ts'

const test = suite('pairing under kill -9')
const OPTIONS = { addresses: null, devices: true, label: null }
const [alice, mallory] = [createSigner(), createSigner()]

interface Running {
  readonly child: Child
  readonly id: string
  readonly address: string
  readonly socketPath: string
}

/** Creates the folder of a node with a device. */
async function folderWith(signer: Signer, scope: string): Promise<string> {
  const folder = createFolder()
  mkdirSync(join(folder, 'state'), { mode: 0o700 })
  const store = createStore({ path: storagePath(join(folder, 'state')), now: Date.now })
  await store.enrol(signer, [scope])
  await store.close()
  return folder
}

/** Starts a node, which kills itself at a step of a pairing. */
async function start(folder: string, listen: string, at = 'never'): Promise<Running> {
  const program = join(import.meta.dirname, 'pairing-child.ts')
  const args = ['--disable-warning=ExperimentalWarning', program, folder, listen, at]
  const child = startChild(process.execPath, { args })
  const [line] = await child.waitFor(/\{.*\}\n/, 60_000)
  return { child, ...(JSON.parse(line) as Omit<Running, 'child'>) }
}

const post = async ({ socketPath }: Running, path: string, body: object): Promise<Record<string, unknown>> => {
  const headers = { 'content-type': 'application/json' }
  const send = { method: 'POST', path, headers, body: JSON.stringify({ ...OPTIONS, ...body }) }
  return (await sendTo({ socketPath }, send)).json()
}

/** Waits until a node has an entry of another one. */
async function untilEntered({ socketPath }: Running, other: string): Promise<void> {
  const isEntered = async (): Promise<boolean> =>
    (await sendTo({ socketPath }, { path: '/api/v1/peers' })).text.includes(other)
  await waitFor(`an entry of ${other}`, isEntered)
}

/** What a stopped node has stored. */
async function storedIn(folder: string): Promise<object> {
  const { store, close } = createStore({ path: storagePath(join(folder, 'state')), now: Date.now })
  const found = await store.read((ledger) => ({
    entries: readEntries(ledger).map(({ endpointId, projects }) => ({ endpointId, projects })),
    keys: ledger
      .devices()
      .map(({ keyId }) => keyId)
      .sort(),
    joins: readJoins(ledger).length,
  }))
  await close()
  return found
}

for (const [at, killed] of [
  ['join is stored', 'lamp'],
  ['answer has come', 'lamp'],
  ['join has ended', 'lamp'],
  ['code is being used', 'desk'],
  ['code is used', 'desk'],
] as const)
  test(`killed when the ${at}: both nodes have entered each other after the next start`, async () => {
    const folders = {
      desk: await folderWith(alice, 'kbd-control:demo'),
      lamp: await folderWith(mallory, 'kbd-control:*'),
    }
    const nodes = {
      desk: await start(folders.desk, '127.0.0.1:0', killed === 'desk' ? at : undefined),
      lamp: await start(folders.lamp, '127.0.0.1:0', killed === 'lamp' ? at : undefined),
    }
    const { code } = await post(nodes.desk, '/api/v1/peers/pairings', { projects: ['demo'] })
    const joined = post(nodes.lamp, '/api/v1/peers/join', { code, projects: [] }).catch((error: unknown) => {
      if (!isLostConnection(error)) throw error
      return {}
    })
    assert.equal(await nodes[killed].child.exited, { code: null, signal: 'SIGKILL' })
    nodes[killed] = await start(folders[killed], killed === 'desk' ? nodes.desk.address : '127.0.0.1:0')
    await untilEntered(nodes.desk, nodes.lamp.id)
    await untilEntered(nodes.lamp, nodes.desk.id)
    const { error } = (await joined) as { error?: { message: string } }
    if (error !== undefined) assert.match(error.message, /this node repeats the join by itself/)
    for (const { child } of Object.values(nodes)) assert.equal(await child.stop(), { code: 0, signal: null })
    const keys = [alice.keyId, mallory.keyId].sort()
    const entryOf = ({ id }: Running): object => ({ endpointId: id, projects: ['demo'] })
    assert.equal(await storedIn(folders.desk), { entries: [entryOf(nodes.lamp)], keys, joins: 0 })
    assert.equal(await storedIn(folders.lamp), { entries: [entryOf(nodes.desk)], keys, joins: 0 })
  })

test.run()
