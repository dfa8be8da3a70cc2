/** The history of the shipped service, over a kill, a restart and a full disk. */
import { appendFileSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Day } from '../../../plugins/telemetry/api.ts'
import { until } from '../../../scripts/until.ts'
import type { Child } from '../../support/child.ts'
import { mountTmpfs, noTmpfs, unmount } from '../../support/faults.ts'
import { folderWith } from '../../support/folder.ts'
import { testUnless } from '../../support/skip.ts'
import { sendTo } from '../sync/daemon.ts'
import { type Place, startShipped, unbuilt, untilHealthy } from '../sync/shipped.ts'
import { startBuilt } from './built-service.ts'

const test = suite('history of the service')

function placeIn(folder: string): Place {
  const state = join(folder, 'state')
  mkdirSync(state, { mode: 0o700, recursive: true })
  return { folder, state, socketPath: join(folder, 'run', 's.sock') }
}

async function started(place: Place): Promise<Child> {
  const child = startShipped(place, { RUST_LOG: 'warn' })
  await untilHealthy(child, place)
  return child
}

async function dayOf(place: Place): Promise<Day> {
  const reply = await sendTo(place, { path: '/api/v1/history' })
  assert.is(reply.status, 200, reply.text)
  assert.ok(Buffer.byteLength(reply.text) < 1_048_576)
  return JSON.parse(reply.text) as Day
}

/** Leaves no byte free on the disk of a folder. */
function fill(folder: string): void {
  const piece = Buffer.alloc(4_096)
  assert.throws(() => {
    for (;;) appendFileSync(join(folder, 'filler'), piece)
  }, /ENOSPC/)
}

const LIMIT_MS = 60_000
const startsIn = ({ starts }: Day): number => starts.reduce<number>((sum, value) => sum + (value ?? 0), 0)

testUnless(test, unbuilt, 'starts are known after a kill and a restart, and the checks of both surfaces', async () => {
  const place = placeIn(folderWith())
  const first = await started(place)
  await until('the start is written', async () => startsIn(await dayOf(place)) === 1, LIMIT_MS)
  // The write of the start is in the store before the checks are looked at.
  await until('checks', async () => (await dayOf(place)).checks.length > 0, LIMIT_MS)
  first.kill('SIGKILL')
  await first.exited
  const second = await started(place)
  await until('both starts', async () => startsIn(await dayOf(place)) === 2, LIMIT_MS)
  await until(
    'the checks',
    async () => (await dayOf(place)).checks.some(({ surface }) => surface === 'local'),
    LIMIT_MS,
  )
  const { checks } = await dayOf(place)
  for (const name of ['authority', 'receipt_store', 'devices']) {
    const check = checks.find((one) => one.name === name)
    assert.is(check?.values.at(-1), true, name)
  }
  assert.is((await second.stop()).code, 0, second.err)
})

testUnless(test, unbuilt ?? noTmpfs, 'a full disk leaves a gap: the service answers, and says it once', async () => {
  const place = placeIn(folderWith())
  mountTmpfs(place.state, 2)
  try {
    const first = await started(place)
    assert.is((await first.stop()).code, 0, first.err)
    fill(place.state)
    const child = await started(place)
    await until('the warning', async () => child.out.includes('A minute of the history was not written'), LIMIT_MS)
    assert.is((await sendTo(place, { path: '/health' })).status, 200)
    assert.is(startsIn(await dayOf(place)), 2, 'the running minute is in memory')
    await child.stop()
  } finally {
    unmount(place.state)
  }
})

testUnless(test, unbuilt, 'a disk that does not say its room hides no other figure of the store', async () => {
  const service = await startBuilt()
  const bytes = async (): Promise<string | undefined> =>
    /^svc_store_bytes (\d+)$/m.exec(await (await fetch(`${service.base}/metrics`)).text())?.[1]
  await until('the size of the store', async () => Number(await bytes()) > 0, LIMIT_MS)
  const state = join(service.folder, 'state')
  renameSync(state, `${state}-away`)
  await until('the store is seen to be gone', async () => (await bytes()) === '0', LIMIT_MS)
  renameSync(`${state}-away`, state)
  await service.stop()
})

test.run()
