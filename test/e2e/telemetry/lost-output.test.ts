/** The service continues when the reader of its output disconnects, and when the disk of its log is full. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { freePort } from '../../../scripts/free-port.ts'
import { until } from '../../../scripts/until.ts'
import { mountTmpfs, noTmpfs, unmount } from '../../support/faults.ts'
import { skip } from '../../support/skip.ts'
import { waitFor } from '../../support/wait-for.ts'
import { shippedProgram, startEnvironment, unbuilt } from './built-service.ts'

const test = suite('lost output')
const LIMIT_MS = 60_000
const gone =
  'when the reader of its output disconnects, the service continues, counts the lost lines, and stops cleanly'
const full = 'a full disk loses no line that fits into the queue, and the log continues when there is room'

interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  /** The text of `/metrics`. */
  metrics(): Promise<string>
}

async function run(folder: string, stdout: 'pipe' | number): Promise<Running> {
  const port = await freePort()
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', shippedProgram], {
    stdio: ['ignore', stdout, 'ignore'],
    env: { ...startEnvironment(folder), SVC_SERVER__PORT: String(port) },
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const metrics = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const answers = (): Promise<boolean> =>
    metrics().then(
      () => true,
      () => false,
    )
  await until('the service answers', answers, LIMIT_MS)
  return { child, ended, metrics }
}

const dropped = (text: string): number => Number(/^svc_log_dropped_lines_total (\d+)$/m.exec(text)?.[1] ?? Number.NaN)

async function readerGone(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-output-'))
  const { child, ended, metrics } = await run(folder, 'pipe')
  try {
    child.stdout!.destroy()
    await until('lost lines are counted', async () => dropped(await metrics()) > 0, LIMIT_MS)
    child.kill('SIGTERM')
    assert.is(await ended, 0)
  } finally {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

async function diskFull(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-output-'))
  const disk = mkdtempSync(join(tmpdir(), 'svc-disk-'))
  mountTmpfs(disk, 1)
  const log = join(disk, 'out.log')
  const fd = openSync(log, 'a')
  const { child, ended, metrics } = await run(folder, fd)
  closeSync(fd)
  try {
    const ballast = join(disk, 'ballast')
    try {
      writeFileSync(ballast, Buffer.alloc(2_000_000))
    } catch {
      // The disk is full now.
    }
    const length = (): number => readFileSync(log, 'utf8').length
    let [before, asked] = [-1, 0]
    // The disk is full as soon as requests leave no line.
    for (; before !== length(); asked += 100) {
      before = length()
      for (let i = 0; i < 100; i++) await metrics()
    }
    rmSync(ballast)
    await waitFor('lines are written again', async () => {
      await metrics()
      asked++
      return length() !== before
    })
    assert.is(dropped(await metrics()) || 0, 0)
    child.kill('SIGTERM')
    assert.is(await ended, 0)
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
    const requests = lines
      .map((line) => JSON.parse(line) as { route?: string })
      .filter(({ route }) => route === '/metrics')
    assert.ok(requests.length > asked, `${requests.length} of ${asked}`)
  } finally {
    child.kill('SIGKILL')
    unmount(disk)
    rmSync(disk, { recursive: true, force: true })
    rmSync(folder, { recursive: true, force: true })
  }
}

if (unbuilt !== undefined) skip(test, gone, unbuilt)
else test(gone, readerGone)
const unable = unbuilt ?? noTmpfs
if (unable !== undefined) skip(test, full, unable)
else test(full, diskFull)

test.run()
