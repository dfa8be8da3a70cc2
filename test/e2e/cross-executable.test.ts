/**
 * Executables for other platforms: the executable of minimal for linux-arm64 is built and run in an emulator of the
 * processor.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isDownloaded, targetRuntime, targets } from '../../scripts/binary/cross/target-runtime.ts'
import { root } from '../../scripts/build/paths.ts'
import { version } from '../../scripts/build/version.ts'
import { type Child, startChild } from '../support/child.ts'
import { folderWith } from '../support/folder.ts'
import { testDeep } from '../support/skip.ts'

const test = suite('executables for other platforms')

const TARGET = 'linux-arm64'
/** The folder in which Debian's libc6-arm64-cross and libstdc++6-arm64-cross install the libraries. */
const LIBRARIES = '/usr/aarch64-linux-gnu'

const emulator = ['qemu-aarch64-static', 'qemu-aarch64']
  .flatMap((name) => (process.env['PATH'] ?? '').split(':').map((folder) => join(folder, name)))
  .find((file) => existsSync(file))

const missing =
  emulator === undefined || !existsSync(join(LIBRARIES, 'lib/ld-linux-aarch64.so.1'))
    ? 'no emulator (Debian: qemu-user, libc6-arm64-cross, libstdc++6-arm64-cross)'
    : isDownloaded(TARGET)
      ? undefined
      : `make reach or make binary TARGET=${TARGET} has not brought the Node of that platform`

testDeep(test, missing, 'minimal for linux-arm64 answers requests and contains its SBOM', async () => {
  const dist = folderWith()
  const cli = ['--disable-warning=ExperimentalWarning', 'scripts/toolkit/cli.ts']
  const made = startChild(process.execPath, {
    args: [...cli, 'binary', 'minimal', '--target', TARGET],
    cwd: root,
    env: { ...process.env, SVC_DIST: dist },
  })
  assert.is((await made.exited).code, 0, made.err)
  const name = `svc-minimal-${version}-${TARGET}`
  const file = join(dist, 'executables', name)
  for (const [sum, of] of [...sumsIn(dist)]) assert.is(hashOf(join(dist, 'executables', of)), sum, of)

  const start = (...args: string[]): Child =>
    startChild(emulator!, {
      args: ['-L', LIBRARIES, file, ...args],
      cwd: folderWith(),
      env: { SVC_SERVER__PORT: '0', SVC_SECURITY__JWT_SECRET: 's'.repeat(48) },
    })
  const bill = start('build-info', '--sbom')
  assert.is((await bill.exited).code, 0, bill.err)
  assert.is(bill.out, readFileSync(`${file}.sbom.json`, 'utf8'))
  const service = start()
  const [, port] = await service.waitFor(/Listening\.[\s\S]*?127\.0\.0\.1:(\d+)/, 60_000)
  assert.is((await fetch(`http://127.0.0.1:${port}/health`)).status, 200)
  assert.is((await service.stop()).code, 0)
})

test('a target without a pinned Node is refused with a list of the targets', () => {
  assert.equal([...targets].sort(), ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win-x64'])
  assert.throws(
    () => targetRuntime('linux-riscv64'),
    (error: { code: string; hint: string }) =>
      error.code === 'ERR_BUILD_FAILED' && error.hint.includes('linux-arm64, darwin-arm64'),
  )
})

function sumsIn(dist: string): (readonly [sum: string, file: string])[] {
  const lines = readFileSync(join(dist, 'executables/SHA256SUMS'), 'utf8').trim().split('\n')
  assert.is(lines.length, 2)
  return lines.map((line) => [line.slice(0, 64), line.slice(66)])
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

test.run()
