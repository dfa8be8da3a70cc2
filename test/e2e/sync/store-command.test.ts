import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { storagePath } from '../../../plugins/sync/store-sqlite/file-store.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { startChild } from '../../support/child.ts'
import { unless } from '../../support/skip.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createFolder, createServer, createSigner, signed } from '../../unit/sync/platforms.ts'
import { allKinds, createWriter, type Kind } from './all-kinds.ts'
import { pushOf, sendTo, startDaemon, stopDaemons } from './daemon.ts'
import { program, startShipped, unbuilt, untilHealthy } from './shipped.ts'

test.after.each(stopDaemons)

const it = unless(test, unbuilt)

const alice = createSigner()
const newPush = (): Uint8Array => signed(alice, { issuedAtMs: Date.now() })

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs a subcommand of the shipped program with a state folder. */
function svc(state: string, ...args: string[]): Ended {
  try {
    const out = execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
      env: { HOME: state, SVC_STORAGE__DIR: state },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return { code: 0, out, err: '' }
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string }
    return { code: status, out: stdout, err: stderr }
  }
}

it('svc device list: a label is printed on one line, with escaped control characters', async () => {
  const folder = createFolder()
  const key = join(folder, 'demo.key')
  assert.is(svc(folder, 'device', 'keygen', '--out', key).code, 0)
  // A line break, a tab, colours, a terminal title, the right-to-left override, an invisible space.
  const label = 'a\nb\tc\u001b[31md\u001b]0;e\u0007f\u202eg\u200bh\u009bi\u007fj ü 🙂'
  const shown = ['a\\u{a}b\\u{9}c\\u{1b}[31md\\u{1b}]0;e\\u{7}f\\u{202e}g\\u{200b}h\\u{9b}i\\u{7f}j ü 🙂']
  const enroll = ['device', 'enroll', '--key', `${key}.pub`, '--scope', 'kbd-control:demo', '--label', label]
  assert.is(svc(folder, ...enroll).code, 0)
  const { out } = svc(folder, 'device', 'list')
  assert.match(out, /^[^\n]+\n$/)
  assert.equal(out.trimEnd().split('\t').slice(3), shown)
  const [device] = JSON.parse(svc(folder, 'device', 'list', '--json').out) as { label: string }[]
  assert.is(device!.label, label)
})

it('svc store: info, check and backup work with a running service, and restore after it is stopped', async () => {
  const folder = createFolder()
  const state = join(folder, 'state')
  const place = { folder, state, socketPath: join(folder, 'run', 's.sock') }
  const setup = createServer({ path: storagePath(state) })
  await setup.enrol(alice, ['kbd-control:demo'])
  await setup.close()
  let child = startShipped(place)
  await untilHealthy(child, place)
  const before = newPush()
  assert.is((await sendTo(place, pushOf(before))).status, 201)

  const info = JSON.parse(svc(state, 'store', 'info', '--json').out) as Record<string, unknown>
  assert.equal([info['receipts'], info['devices'], info['projects'], info['version']], [1, 1, 1, info['newest']])
  assert.equal(svc(state, 'store', 'check'), { code: 0, out: '', err: '' })
  const file = join(folder, 'backup.db')
  assert.is(svc(state, 'store', 'backup', file).code, 0)
  assert.is(statSync(file).mode & 0o777, 0o600)
  const after = newPush()
  assert.is((await sendTo(place, pushOf(after))).status, 201)

  const early = svc(state, 'store', 'restore', file)
  assert.is(early.code, 1)
  assert.match(early.err, 'Stop the service first')
  assert.is((await sendTo(place, pushOf(newPush()))).status, 201, 'the service did not notice')
  assert.is((await child.stop()).code, 0, child.err)

  truncateSync(storagePath(state))
  const refused = startShipped(place)
  assert.is((await refused.exited).code, 1)
  assert.match(refused.err, 'A receipt store was here')
  assert.match(refused.err, 'svc store restore')
  assert.is(svc(state, 'store', 'check').code, 1)

  assert.is(svc(state, 'store', 'restore', file).code, 0)
  child = startShipped(place)
  await untilHealthy(child, place)
  assert.is((await sendTo(place, pushOf(before))).status, 200)
  assert.is(
    (await sendTo(place, pushOf(after))).status,
    201,
    'the push was acknowledged after the backup, so the backup does not contain it',
  )
  assert.is((await child.stop()).code, 0, child.err)
  assert.ok(
    readdirSync(state).some((name) => name.startsWith('sync.db.before-')),
    'the previous store is kept',
  )
  const usage = svc(state, 'store', 'backup')
  assert.is(usage.code, 64)
  assert.match(usage.err, 'name one file')
})

it('a backup under writes of all four kinds is one moment of all of them, in the store that it is restored into', async () => {
  const folder = createFolder()
  const state = join(folder, 'state')
  const place = { folder, state, socketPath: join(folder, 'run', 's.sock') }
  const setup = createServer({ path: storagePath(state) })
  await setup.enrol(alice, ['kbd-control:demo'])
  await setup.close()
  const port = await freePort()
  let child = startShipped(place, { ...allKinds, SVC_SERVER__PORT: String(port) })
  await untilHealthy(child, place)
  const { write, written } = await createWriter(place, port, alice)
  for (let i = 0; i < 12; i++) await write()
  const before = written.length
  const file = join(folder, 'backup.db')
  const backup = startChild(process.execPath, {
    args: ['--disable-warning=ExperimentalWarning', program, 'store', 'backup', file],
    env: { HOME: folder, SVC_STORAGE__DIR: state },
  })
  let isOver = false
  void backup.exited.then(() => (isOver = true))
  while (!isOver) await write()
  const during = written.length
  for (let i = 0; i < 4; i++) await write()
  assert.is((await backup.exited).code, 0, backup.err)
  assert.is((await child.stop()).code, 0, child.err)

  const other = { ...place, state: join(folder, 'other') }
  const restored = svc(other.state, 'store', 'restore', file)
  assert.is(restored.code, 0, restored.err)
  child = startShipped(other, { ...allKinds, SVC_SERVER__PORT: String(port) })
  await untilHealthy(child, other)
  const found: boolean[] = []
  for (const { isThere } of written) found.push(await isThere())
  const moment = found.indexOf(false)
  assert.ok(before <= moment && moment <= during, `${before} ≤ ${moment} ≤ ${during}`)
  assert.not.ok(found.includes(true, moment), 'nothing later is in it, of any kind')
  const count = (kind: Kind): number => written.slice(0, moment).filter((one) => one.kind === kind).length
  const words = [
    `${count('receipt')} receipts`,
    '1 device',
    `${count('API key')} API keys`,
    `${count('board')} boards`,
    '1 run',
  ]
  assert.equal(backup.err, `Wrote ${words.join(', ')} to ${file}.\n`)
  assert.equal(svc(other.state, 'store', 'check').code, 0)
  assert.is((await child.stop()).code, 0, child.err)
})

it('a service is killed while a backup is taken: neither the store nor the backup is half', async () => {
  const folder = createFolder()
  const state = join(folder, 'state')
  const setup = createServer({ path: storagePath(state) })
  await setup.enrol(alice, ['kbd-control:demo'])
  for (let i = 0; i < 50; i++) assert.is((await setup.submit(signed(alice))).status, 201)
  await setup.close()
  for (let i = 0; i < 5; i++) {
    const file = join(folder, `backup-${i}.db`)
    const child = startChild(process.execPath, {
      args: ['--disable-warning=ExperimentalWarning', program, 'store', 'backup', file],
      env: { HOME: folder, SVC_STORAGE__DIR: state },
    })
    await new Promise((done) => setTimeout(done, 40 * i))
    child.kill('SIGKILL')
    await child.exited
    if (existsSync(file)) assert.is(svc(state, 'store', 'check').code, 0)
    assert.is(svc(state, 'store', 'backup', join(folder, `again-${i}.db`)).code, 0)
  }
})

test('/ready gives 503 for a damaged row that was not requested, and only the log names the row', async () => {
  const folder = createFolder()
  const setup = createServer({ path: storagePath(join(folder, 'state')) })
  await setup.enrol(alice, ['kbd-control:demo'])
  const { receipt } = await setup.submit(signed(alice))
  await setup.close()
  const raw = new DatabaseSync(setup.path)
  raw.exec(`UPDATE receipts SET domain = 'kbd-control:other' WHERE no = 1`)
  raw.close()
  const daemon = await startDaemon({ folder })
  let ready: Awaited<ReturnType<typeof daemon.send>>
  await waitFor('it is not ready', async () => {
    ready = await daemon.send({ path: '/ready' })
    return ready.status !== 200
  })
  assert.is(ready!.status, 503)
  const { checks } = ready!.json() as { checks?: Record<string, { status: string }> }
  assert.equal(checks!['receipt_store']!.status, 'failed')
  assert.not.match(ready!.text, 'receipt 1')
  assert.match(daemon.logs(), 'receipt 1')
  const read = await daemon.send({ path: `/api/v2/sync/pushes/${receipt!.pushId}` })
  assert.is(read.json().error!.code, 'receipt_store_unavailable')
  assert.is(read.status, 503)
})

test('sync.retention_days is 0 or at least 8', async () => {
  for (const [days, fits] of [
    [0, true],
    [8, true],
    [365, true],
    [7, false],
    [1, false],
    [-1, false],
    [8.5, false],
  ] as const) {
    const started = await startDaemon({ given: { 'sync.retention_days': days } }).catch((error: unknown) => error)
    assert.is(!(started instanceof Error), fits, String(days))
    if (fits) await (started as Awaited<ReturnType<typeof startDaemon>>).stop()
  }
})

test.run()
