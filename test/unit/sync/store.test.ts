import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import { createFileStore } from '../../../plugins/sync/store-sqlite/file-store.ts'
import { notRoot } from '../../support/faults.ts'
import { testUnless } from '../../support/skip.ts'
import { execOn } from '../../support/sqlite.ts'
import { storeParts } from '../../support/store-parts.ts'
import { rejection } from '../../support/throws.ts'
import { createFolder, createServer, createSigner, signed } from './platforms.ts'

const alice = createSigner()

async function serverWithPush(path: string): Promise<{ server: ReturnType<typeof createServer>; body: Uint8Array }> {
  const server = createServer({ path })
  await server.enrol(alice, ['kbd-control:demo'])
  const body = signed(alice)
  assert.is((await server.submit(body)).status, 201)
  return { server, body }
}

const noProc = existsSync('/proc/self/fd') ? undefined : 'the system does not list the open files of a process'

/** The files that are open in this process. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    // The descriptor of this directory listing is already closed.
    const path = `/proc/self/fd/${fd}`
    return existsSync(`/proc/self/fdinfo/${fd}`) ? [readlinkSync(path)] : []
  })
}

/** The code of the refusal of a file, or 'opened'. A refusal must not change the file. */
function refusalOf(path: string): string {
  const before = readFileSync(path)
  try {
    createFileStore({ path, now: Date.now, parts: storeParts }).open()
  } catch (error) {
    assert.ok(isSvcError(error))
    assert.equal(readFileSync(path), before, 'unchanged')
    return error.code
  }
  return 'opened'
}

test('a long group of commits is split for other work, and loses no work', async () => {
  let nowMs = 0
  const store = createFileStore({ path: join(createFolder(), 'sync.db'), now: () => nowMs, parts: storeParts })
  const calls: string[] = []
  const write = (n: number): Promise<unknown> =>
    store.write(({ beforeCommit }) => {
      nowMs += 30
      calls.push(`work ${n}`)
      beforeCommit!(last)
      if (n === 1) throw new Error('only this one')
      return n
    })
  const last = (): void => void calls.push('last')
  const done = await Promise.allSettled([0, 1, 2, 3, 4].map(write))
  assert.equal(
    done.map((one) => (one.status === 'fulfilled' ? one.value : 'refused')),
    [0, 'refused', 2, 3, 4],
  )
  // About 50 ms per group. The callback runs once per group, also if the work that added it was undone.
  assert.equal(calls, ['work 0', 'work 1', 'last', 'work 2', 'work 3', 'last', 'work 4', 'last'])
  await store.close()
})

testUnless(test, noProc, 'undo data of a group is kept in memory, not in a temporary file', async () => {
  const store = createFileStore({ path: join(createFolder(), 'sync.db'), now: Date.now, parts: storeParts })
  const wide = 'x'.repeat(3_000)
  await store.write(({ driver }) => {
    driver.exec('CREATE TABLE wide (n INTEGER PRIMARY KEY, text)')
    const insert = driver.prepare('INSERT INTO wide (text) VALUES (?)')
    for (let n = 0; n < 100; n++) insert.run(wide)
  })
  const open = await store.write(({ driver }) => {
    // SQLite keeps 64 KiB of the original pages in memory, and would write more to a file in the system's temporary
    // folder.
    driver.prepare('UPDATE wide SET text = upper(text)').run()
    return openFiles()
  })
  await store.close()
  assert.equal(
    open.filter((file) => file.includes('(deleted)')),
    [],
  )
})

test('newer, foreign and damaged files are refused and not changed', async () => {
  const folder = createFolder()
  const path = join(folder, 'sync.db')
  const { server } = await serverWithPush(path)
  await server.close()

  const newer = join(folder, 'newer.db')
  copyFileSync(path, newer)
  execOn(newer, 'PRAGMA user_version = 99')
  assert.is(refusalOf(newer), 'store_newer')

  const foreign = join(folder, 'foreign.db')
  execOn(foreign, 'CREATE TABLE t (x)')
  assert.is(refusalOf(foreign), 'store_foreign')

  const text = join(folder, 'text.db')
  writeFileSync(text, 'this is not a database, and long enough to look at')
  assert.is(refusalOf(text), 'store_damaged')

  const torn = join(folder, 'torn.db')
  const bytes = readFileSync(path)
  // The second half of the pages is overwritten: the header stays readable.
  bytes.fill(0xa5, 4096)
  writeFileSync(torn, bytes)
  assert.is(refusalOf(torn), 'store_damaged')

  const cut = join(folder, 'cut.db')
  writeFileSync(cut, readFileSync(path).subarray(0, 5000))
  assert.is(refusalOf(cut), 'store_damaged')
})

test('a store that is deleted or replaced while the service runs gives 503, and works again when it is back', async () => {
  const folder = createFolder()
  const path = join(folder, 'sync.db')
  const { server, body } = await serverWithPush(path)
  const code = async (): Promise<string | undefined> => {
    // Reads check the file ten times per second.
    server.clock.nowMs += 100
    return (await server.submit(signed(alice))).code
  }

  renameSync(path, `${path}.away`)
  assert.is(
    (await server.submit(signed(alice))).code,
    'receipt_store_unavailable',
    'a commit checks the file every time',
  )
  // The devices are in the same file, so the authority fails first.
  assert.is(await code(), 'authority_unavailable')
  assert.not(existsSync(path))
  server.clock.nowMs += 100
  const { store } = server
  for (const work of [() => store.read((ledger) => ledger.devices()), () => store.write(() => 1)])
    await rejection('receipt_store_unavailable', work())

  copyFileSync(`${path}.away`, path)
  assert.is(await code(), 'authority_unavailable', 'a copy is not the file that is open')
  unlinkSync(path)
  renameSync(`${path}.away`, path)
  assert.is(await code(), undefined)
  assert.is((await server.submit(body)).status, 200)

  unlinkSync(`${path}-wal`)
  assert.is(await code(), 'authority_unavailable', 'a missing log is noticed too')
  await server.close()
})

testUnless(test, notRoot, 'a folder that cannot be written gives 503, and the service works once it can', async () => {
  const folder = createFolder()
  chmodSync(folder, 0o755)
  const path = join(folder, 'data', 'sync.db')
  mkdirSync(join(folder, 'data'), { mode: 0o500 })
  process.seteuid!(65_534)
  const server = createServer({ path })
  try {
    assert.is((await server.submit(signed(alice))).code, 'authority_unavailable')
    process.seteuid!(0)
    chmodSync(join(folder, 'data'), 0o777)
    process.seteuid!(65_534)
    assert.is((await server.submit(signed(alice))).code, 'authority_unavailable', 'not tried again at once')
    server.clock.nowMs += 1_000
    await server.enrol(alice, ['kbd-control:demo'])
    assert.is((await server.submit(signed(alice))).status, 201)
  } finally {
    process.seteuid!(0)
    await server.close()
  }
})

test.run()
