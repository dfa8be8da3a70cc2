/**
 * The image of the Dockerfile, built and run without Docker: its files are in a folder that becomes the root of the
 * process, read-only except the volume, with the user of the image.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { distDir, root } from '../../../scripts/build/paths.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { type Child, startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'
import { testUnless } from '../../support/skip.ts'
import { buildStageOf, type Image, imageOf } from './dockerfile.ts'

const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
const image = imageOf(dockerfile)
/** The profiles that have an executable. */
const serverProfiles = ['server-full', 'minimal', 'server-cluster']
const executable = join(distDir('server-full'), 'svc')

const cannot = ((): string | undefined => {
  if (!existsSync(executable)) return `${executable} has not been built`
  if (process.platform !== 'linux' || process.getuid!() !== 0)
    return 'only root on Linux may change the root of a process'
  return spawnSync('unshare', ['--mount', 'true']).status === 0 ? undefined : 'this system forbids unshare --mount'
})()

/** The libraries that the base image provides, with their paths on this machine. */
function librariesOf(file: string): string[] {
  const listed = execFileSync('ldd', [file], { encoding: 'utf8' })
  return [...listed.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path!)
}

/** Copies the files of the image into a folder. */
function fill(folder: string, { copies }: Image): void {
  chmodSync(folder, 0o755)
  for (const name of ['dev', 'proc', 'tmp']) mkdirSync(join(folder, name))
  for (const library of librariesOf(executable)) place(library, join(folder, library))
  const built: Readonly<Record<string, string>> = { '/svc': executable }
  for (const { from, to, chown, chmod } of copies) {
    const target = join(folder, to)
    const file = built[from]
    if (file === undefined) mkdirSync(target, { recursive: true })
    else place(file, target)
    if (chmod !== undefined) chmodSync(target, Number.parseInt(chmod, 8))
    const [uid, gid] = (chown ?? '0:0').split(':').map(Number)
    chownSync(target, uid!, gid!)
  }
}

function place(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
}

/** Starts a command as the user of the image with the folder as its root. Only the volumes are writable. */
function startIn(folder: string, command: readonly string[], environment: NodeJS.ProcessEnv): Child {
  const mounts = [
    `mount --bind ${folder} ${folder}`,
    ...image.volumes.map((path) => `mount --bind ${folder}${path} ${folder}${path}`),
    `mount -t proc proc ${folder}/proc`,
    `mount --rbind /dev ${folder}/dev`,
    `mount -o remount,ro,bind ${folder}`,
  ]
  const script = `${mounts.join(' && ')} && exec chroot --userspec=${image.user} ${folder} "$@"`
  return startChild('unshare', {
    args: ['--mount', 'sh', '-c', script, 'sh', ...command],
    env: { PATH: process.env['PATH'], ...image.environment, ...environment },
  })
}

test('the image runs as a user other than root, from one file, with a health check', () => {
  assert.match(image.user, /^[1-9]\d*:[1-9]\d*$/)
  assert.equal(image.entrypoint, ['/svc'])
  assert.equal(image.healthcheck, ['/svc', 'health'])
  assert.is(image.stopSignal, 'SIGTERM')
})

for (const profile of serverProfiles)
  test(`the build stage makes each file that the image takes, for ${profile}`, () => {
    const { args, commands, workdir } = buildStageOf(dockerfile)
    assert.is(args['PROFILE'], 'server-full')
    // What comes from elsewhere is neither installed nor built here.
    const folder = folderWith({
      'bin/apt-get': '#!/bin/sh\nexit 0\n',
      'bin/make': `#!/bin/sh\n[ "$*" = "binary PROFILE=${profile}" ] && mkdir -p dist/${profile} && echo built > dist/${profile}/svc\n`,
      'src/Makefile': '',
    })
    for (const name of ['apt-get', 'make']) chmodSync(join(folder, 'bin', name), 0o755)
    const cwd = join(folder, 'src')
    assert.is(workdir, '/src')
    for (const command of commands) {
      // The root of the stage is the folder of this test.
      const here = command.replaceAll(/(?<=[ =>"'])\/(?=[a-z])/g, `${folder}/`)
      const env = { ...args, PROFILE: profile, PATH: `${join(folder, 'bin')}:${process.env['PATH']}` }
      const { status, stderr } = spawnSync('sh', ['-c', here], { cwd, env, encoding: 'utf8' })
      assert.is(status, 0, `${here}\n${stderr}`)
    }
    for (const { from } of image.copies) assert.ok(existsSync(join(folder, from)), from)
    assert.is(readFileSync(join(folder, 'svc'), 'utf8'), 'built\n')
  })

testUnless(
  test,
  cannot,
  'the image starts on a read-only root, is healthy, and keeps its keys in the volume over kill -9',
  async () => {
    const folder = folderWith({})
    fill(folder, image)
    const port = await freePort()
    const own = {
      SVC_SECURITY__JWT_SECRET: 'container-secret-of-at-least-32-bytes!!',
      SVC_SERVER__PORT: String(port),
    }
    const first = startIn(folder, image.entrypoint, own)
    await first.waitFor(/"transport":/)
    const check = startIn(folder, image.healthcheck, own)
    assert.is((await check.exited).code, 0, check.err)

    const token = startIn(folder, ['/svc', 'token', '--sub', 'operator'], own)
    await token.exited
    const authorization = `Bearer ${token.out.trim()}`
    const made = await fetch(`http://127.0.0.1:${port}/api/svc/auth/keys`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'kept' }),
    })
    assert.is(made.status, 201, await made.clone().text())
    first.kill('SIGKILL')
    await first.exited

    const again = startIn(folder, image.entrypoint, own)
    await again.waitFor(/"transport":/)
    const kept = await fetch(`http://127.0.0.1:${port}/api/svc/auth/keys`, { headers: { authorization } })
    assert.match(await kept.text(), '"kept"')
    await again.stop()
    assert.is((await again.exited).code, 0)
    assert.equal(
      readdirSync(join(folder, 'var/lib/svc')).filter((name) => name !== 'state'),
      [],
      'addons leave nothing in the volume',
    )
  },
)

test.run()
