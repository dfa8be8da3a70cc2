/** An unusable state folder: the program reports the reason and exits, for every command. */
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import { storagePath } from '../../../plugins/sync/store-sqlite/file-store.ts'
import { WAIT_MS } from '../../runner/limit.ts'
import { type Child, startChild } from '../../support/child.ts'
import { mountTmpfs, noTmpfs, notRoot, remountReadOnly, resizeTmpfs, unmount } from '../../support/faults.ts'
import { testUnless } from '../../support/skip.ts'
import { createFolder, createServer, createSigner, signed } from '../../unit/sync/platforms.ts'
import { pushOf, type Reply, sendTo, startDaemon, stopDaemons } from './daemon.ts'
import { program, startShipped, unbuilt, untilHealthy } from './shipped.ts'

const test = suite('storage.dir')
test.after.each(stopDaemons)

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs the program. After 20 s the program is killed and has no exit code. */
async function run(dir: string, args: readonly string[], asNobody = false): Promise<Ended> {
  const folder = createFolder()
  chmodSync(folder, 0o755)
  // A NUL can be passed only in a file.
  const config = join(folder, 'config.json')
  writeFileSync(config, JSON.stringify({ storage: { dir }, server: { port: 0 } }), { mode: 0o644 })
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    XDG_RUNTIME_DIR: folder,
    SVC_SECURITY__JWT_SECRET: 'storage-secret-of-at-least-32-bytes!!',
  }
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', program, ...args, '--config', config]
  const [first, ...rest] = asNobody ? ['setpriv', '--reuid=65534', '--clear-groups', ...command] : command
  const child = startChild(first!, { args: rest, env })
  const limit = setTimeout(() => child.kill('SIGKILL'), WAIT_MS)
  const { code } = await child.exited
  clearTimeout(limit)
  return { code, out: child.out, err: child.err }
}

const start: readonly string[] = []
const commands: readonly (readonly string[])[] = [
  ['device', 'list'],
  ['device', 'revoke', 'ed25519:00'],
  ['store', 'info'],
  ['store', 'check'],
]

/** Why a service does not start with a folder for its state, or 'started'. */
async function refusalOf(dir: string): Promise<string> {
  try {
    await startDaemon({ given: { 'storage.dir': dir } })
    return 'started'
  } catch (error) {
    assert.ok(isSvcError(error), String(error))
    const cause = isSvcError(error.cause) ? error.cause : error
    assert.ok((cause.hint ?? '').length > 0, 'there is a fix')
    return `${cause.code}: ${cause.message}`
  }
}

const places: Readonly<Record<string, (folder: string) => readonly [dir: string, says: RegExp]>> = {
  'a file': (folder) => {
    writeFileSync(join(folder, 'file'), '')
    return [join(folder, 'file'), /storage\.dir \S+\/file cannot be used: \S+\/file is a file\./]
  },
  'a path below a file': (folder) => {
    writeFileSync(join(folder, 'file'), '')
    return [join(folder, 'file/a/b'), /file\/a\/b cannot be used: \S+\/file is a file\./]
  },
  '/proc': () => ['/proc/x/y', /\/proc\/x\/y cannot be used: it is in a tree of the system/],
  '/sys': () => ['/sys/svc', /it is in a tree of the system/],
  '/dev': () => ['/dev', /it is in a tree of the system/],
  'a link into /proc': (folder) => {
    symlinkSync('/proc', join(folder, 'link'))
    return [join(folder, 'link/x'), /it is in a tree of the system/]
  },
  'a NUL': (folder) => [`${folder}/a\0b`, /a\\u0000b" cannot be used: there is a NUL in it/],
  'a name that is too long': (folder) => [join(folder, 'n'.repeat(300)), /cannot be used: the path is too long/],
  'a path that is too long': (folder) => [`${folder}${'/name'.repeat(1_000)}`, /cannot be used: the path is too long/],
  'a link that leads nowhere': (folder) => {
    symlinkSync(join(folder, 'gone'), join(folder, 'link'))
    return [join(folder, 'link'), /link cannot be used: \S+\/link is a symbolic link to where nothing is/]
  },
  'links in a circle': (folder) => {
    symlinkSync(join(folder, 'a'), join(folder, 'b'))
    symlinkSync(join(folder, 'b'), join(folder, 'a'))
    return [join(folder, 'a'), /its symbolic links lead in a circle|to where nothing is/]
  },
  'a folder that every user may write to': (folder) => {
    mkdirSync(join(folder, 'open'))
    chmodSync(join(folder, 'open'), 0o777)
    return [join(folder, 'open'), /it has mode 0777: others may write there/]
  },
}

for (const [name, make] of Object.entries(places)) {
  const linux = process.platform !== 'linux' && name.startsWith('/') ? `${name} is of Linux` : undefined
  testUnless(test, linux, `${name}: a start fails with the reason and a fix`, async () => {
    const [dir, says] = make(createFolder())
    const refusal = await refusalOf(dir)
    assert.match(refusal, /^ERR_SETTING_UNUSABLE/)
    assert.match(refusal, says)
  })
}

test('a folder that a group may write to is refused, and one with a set-group-id bit is not', async () => {
  const dir = join(createFolder(), 'state')
  mkdirSync(dir)
  for (const mode of [0o770, 0o722]) {
    chmodSync(dir, mode)
    assert.match(await refusalOf(dir), /others may write/)
  }
  chmodSync(dir, 0o2755)
  assert.is(await refusalOf(dir), 'started')
})

testUnless(
  test,
  unbuilt,
  'the program and its commands exit with 78, the reason and a fix, and without a stack',
  async () => {
    const [dir, says] = places['a file']!(createFolder())
    for (const args of [start, ...commands]) {
      const { code, err } = await run(dir, args)
      assert.is(code, 78, `svc ${args.join(' ')}: ${err}`)
      assert.match(err, says)
      assert.match(err, /\n {2}→ \S/)
      assert.not.match(err, /\n {4}at /, 'no stack')
    }
  },
)

testUnless(test, unbuilt ?? notRoot, 'a start with a folder that the user may not write to exits with 78', async () => {
  const folder = createFolder()
  chmodSync(folder, 0o755)
  const { code, err } = await run(join(folder, 'state'), start, true)
  assert.is(code, 78, err)
  assert.match(
    err,
    /storage\.dir \S+\/state cannot be used: this user may not write there, and it belongs to the user root\.\n {2}→ .*sudo -u root/,
  )
})

testUnless(test, unbuilt ?? notRoot, 'another user and root read whose the store and the socket are', async () => {
  const folder = createFolder()
  chmodSync(folder, 0o755)
  const nobody = ['setpriv', '--reuid=65534', '--clear-groups']
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    SVC_SERVER__MODE: 'sync',
    SVC_STORAGE__DIR: join(folder, 'state'),
    SVC_SYNC__SOCKET_PATH: join(folder, 'run', 's.sock'),
  }
  const runAs = (user: readonly string[], ...args: readonly string[]): Child => {
    const [first, ...rest] = [...user, process.execPath, '--no-warnings', program, ...args]
    return startChild(first!, { args: rest, env })
  }
  for (const [owner, viewer, name] of [
    [[], nobody, 'root'],
    [nobody, [], 'nobody'],
  ] as const) {
    for (const path of ['state', 'run']) {
      rmSync(join(folder, path), { recursive: true, force: true })
      mkdirSync(join(folder, path), { mode: 0o700 })
      if (owner.length > 0) chownSync(join(folder, path), 65_534, 65_534)
    }
    const service = runAs(owner)
    for (const end = Date.now() + WAIT_MS; !service.out.includes('s.sock'); ) {
      assert.ok(Date.now() < end, service.out + service.err)
      await new Promise((done) => setTimeout(done, 20))
    }
    for (const args of [
      ['device', 'list'],
      ['health', '--local'],
      ['audit', 'verify'],
    ]) {
      const child = runAs(viewer, ...args)
      assert.is((await child.exited).code, 1, child.err)
      const words = viewer === nobody ? `sudo -u ${name} svc …` : `runuser -u ${name} -- svc …`
      assert.match(child.err, new RegExp(`belongs to the user ${name}.* ${words}`), args.join(' '))
    }
    await service.stop()
  }
})

testUnless(test, unbuilt ?? noTmpfs, 'a start with a read-only file system exits with 78', async () => {
  const folder = createFolder()
  mountTmpfs(folder, 1)
  try {
    remountReadOnly(folder)
    for (const dir of [folder, join(folder, 'state')]) {
      const { code, err } = await run(dir, start)
      assert.is(code, 78, err)
      assert.match(err, /cannot be used: its file system is mounted read-only/)
    }
  } finally {
    unmount(folder)
  }
})

testUnless(
  test,
  unbuilt ?? noTmpfs,
  'on a full disk without a store a start and the commands exit with 1',
  async () => {
    const folder = createFolder()
    mountTmpfs(folder, 1)
    try {
      const state = join(folder, 'state')
      const filler = join(folder, 'filler')
      const fill = (): void => {
        try {
          for (let n = 0; n < 100; n++) writeFileSync(`${filler}${n}`, Buffer.alloc(16_384))
        } catch {}
      }
      fill()
      const fresh = await run(state, start)
      assert.is(fresh.code, 1, fresh.err)
      assert.match(fresh.err, /There is no room in storage\.dir \S+\/state: the disk or the quota is full\./)
      assert.match(fresh.err, /→ Make room \(df /)
      const device = await run(state, ['device', 'list'])
      assert.is(device.code, 1)
      assert.match(device.err, /the disk or the quota is full/)
    } finally {
      unmount(folder)
    }
  },
)

testUnless(
  test,
  unbuilt ?? noTmpfs,
  'on a full disk an existing store is served read-only until there is room',
  async () => {
    const folder = createFolder()
    const state = join(folder, 'state')
    mkdirSync(state)
    mountTmpfs(state, 1)
    const place = { folder, state, socketPath: join(folder, 'run', 's.sock') }
    const alice = createSigner()
    const push = (): Promise<Reply> => sendTo(place, pushOf(signed(alice, { issuedAtMs: Date.now() })))
    const ready = async (): Promise<number> => (await sendTo(place, { path: '/ready' })).status
    try {
      const first = startShipped(place)
      await untilHealthy(first, place)
      const store = createServer({ path: storagePath(state) })
      await store.enrol(alice, ['kbd-control:demo'])
      await store.close()
      const taken = (await push()).json() as unknown as { pushId: string }
      assert.is(await ready(), 200)
      assert.is((await first.stop()).code, 0, first.err)

      try {
        for (let n = 0; n < 1_000; n++) writeFileSync(join(state, `filler${n}`), Buffer.alloc(4_096))
      } catch {}
      const full = startShipped(place)
      await untilHealthy(full, place)
      const read = await sendTo(place, { path: `/api/v2/sync/pushes/${taken.pushId}` })
      assert.is(read.status, 200, read.text)
      assert.equal([(await push()).status, await ready()], [503, 503])
      assert.match(full.out, /The disk is full: the service starts read-only/)
      assert.match(full.out, /df /)

      resizeTmpfs(state, 16)
      for (const sinceMs = Date.now(); (await push()).status !== 201; )
        assert.ok(Date.now() - sinceMs < WAIT_MS, 'writes again without a restart')
      for (const sinceMs = Date.now(); (await ready()) !== 200; )
        assert.ok(Date.now() - sinceMs < WAIT_MS, 'ready again')
      const device = await run(state, ['device', 'list'])
      assert.is(device.code, 0, device.err)
      assert.is((await full.stop()).code, 0, full.err)
    } finally {
      unmount(state)
    }
  },
)

testUnless(test, unbuilt, 'a damaged, newer or foreign store is reported with its path, and not changed', async () => {
  const makes: Readonly<Record<string, readonly [make: (path: string) => void | Promise<void>, says: RegExp]>> = {
    damaged: [
      (path) => writeFileSync(path, 'SQLite format 3\0 and then something else'),
      /The receipt store is damaged/,
    ],
    newer: [
      async (path) => {
        const server = createServer({ path })
        await server.enrol((await import('../../unit/sync/platforms.ts')).createSigner(), ['kbd-control:demo'])
        await server.close()
        const database = new DatabaseSync(path)
        database.exec('PRAGMA user_version = 99')
        database.close()
      },
      /The receipt store was written by a newer version/,
    ],
    foreign: [
      (path) => {
        const database = new DatabaseSync(path)
        database.exec('CREATE TABLE other (a)')
        database.close()
      },
      /The file is a database of another program/,
    ],
  }
  for (const [name, [make, says]] of Object.entries(makes)) {
    const dir = createFolder()
    const path = storagePath(dir)
    await make(path)
    const before = readFileSync(path, 'base64')
    for (const args of [start, ['device', 'list'], ['store', 'info'], ['store', 'check']]) {
      const { code, err } = await run(dir, args)
      assert.is(code, 1, `${name}, svc ${args.join(' ')}: ${err}`)
      assert.match(err, says)
      assert.ok(err.includes(path), `${name}, svc ${args.join(' ')} names the path: ${err}`)
      assert.match(err, /\n {2}→ \S/)
    }
    assert.is(readFileSync(path, 'base64'), before)
  }
})

testUnless(test, unbuilt, 'commands report invalid settings like a start, with 78', async () => {
  const folder = createFolder()
  const config = join(folder, 'config.json')
  writeFileSync(config, JSON.stringify({ storage: { dir: 7 } }))
  const child = startChild(process.execPath, {
    args: [program, 'device', 'list', '--config', config],
    env: { HOME: folder },
  })
  assert.is((await child.exited).code, 78)
  assert.match(child.err, /storage\.dir: expected the path of a folder, got 7/)
})

test.run()
