/**
 * The toolkit as its users have it: installed from its tarball into an empty folder, without this repository and
 * without network.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { distDir } from '../../scripts/build/paths.ts'
import { version } from '../../scripts/build/version.ts'
import { type Child, startChild } from '../support/child.ts'
import { isDeep } from '../support/count.ts'
import { folderWith } from '../support/folder.ts'
import { leaveOut } from '../support/skip.ts'
import { copyOf, hashOfFiles, madeOnce } from './shared.ts'

/** The packages of `make package`. */
export const tarballs: readonly string[] = [`svc-${version}.tgz`, `svc-toolkit-${version}.tgz`].map((name) =>
  join(distDir(''), name),
)

/** Whether the packages have been built. */
export const isPacked: boolean = tarballs.every((file) => existsSync(file))

/** The result of a call. */
export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** A folder with the toolkit installed. */
export interface Rig {
  readonly folder: string
  /** Runs `svc-build` in the folder. */
  run(args: readonly string[], env?: NodeJS.ProcessEnv): Ended
  /** Runs `svc-build` and returns stdout. Fails if the exit code is not 0. */
  good(...args: readonly string[]): string
  /** Runs `svc-build --json` and returns the document. Fails if the exit code is not `code`. */
  json<T = unknown>(args: readonly string[], code?: number): T
  start(args: readonly string[], env?: NodeJS.ProcessEnv): Child
  read(name: string): string
  write(name: string, text: string): void
  /** Removes the folder. This takes too long for an exit handler. */
  remove(): void
  path(name: string): string
}

/** An environment without network, without colours, and without other variables of the tests. */
const quiet: NodeJS.ProcessEnv = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  NO_COLOR: '1',
  npm_config_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
  // What V8 has compiled is kept between the calls, as for the test processes.
  ...(process.env['NODE_COMPILE_CACHE'] && { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }),
  // `svc-build test` runs every case unless the environment sets otherwise.
  SVC_TEST_DEEP: isDeep() ? '1' : '0',
}

/**
 * Installs the tarballs into an empty folder, as their users do. They bring all that they need: npm has an empty cache
 * and asks no registry. The tarballs do not stay in the user's cache.
 */
export function install(): Rig {
  const [folder, cache] = [folderWith(), folderWith()]
  const { status, stderr } = spawnSync(
    'npm',
    ['install', ...tarballs, '--offline', '--omit=optional', '--ignore-scripts'],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...quiet, npm_config_cache: cache },
    },
  )
  assert.is(status, 0, stderr)
  rmSync(cache, { recursive: true })
  return rigIn(folder)
}

/**
 * Installs the tarballs without npm, for tests that do not depend on the kind of installation. They are unpacked once
 * for all tests.
 */
export async function unpack(): Promise<Rig> {
  return rigIn(copyInto(folderWith(), await unpacked()))
}

/** A copy of a folder with the built example of `init`. The example is built once for all tests. */
export async function builtExample(): Promise<Rig> {
  const from = await unpacked()
  const built = await madeOnce(`example-${hashOfFiles(tarballs)}`, (folder) => {
    const { good } = rigIn(copyInto(folder, from))
    good('init')
    good('build', 'edge.ts')
  })
  return rigIn(copyInto(folderWith(), built))
}

/** The shared folder with both packages in its `node_modules`. Tests must not write to it. */
export function unpacked(): Promise<string> {
  return madeOnce(`unpacked-${hashOfFiles(tarballs)}`, (folder) => {
    for (const file of tarballs) {
      const home = join(folder, 'node_modules', file.includes('toolkit') ? 'svc-toolkit' : 'svc')
      mkdirSync(home, { recursive: true })
      const { status, stderr } = spawnSync('tar', ['-xzf', file, '-C', home, '--strip-components=1'], {
        encoding: 'utf8',
      })
      assert.is(status, 0, stderr)
    }
    mkdirSync(join(folder, 'node_modules/.bin'))
    symlinkSync('../svc-toolkit/svc-build.js', join(folder, 'node_modules/.bin/svc-build'))
  })
}

function copyInto(folder: string, from: string): string {
  copyOf(from, folder)
  return folder
}

/**
 * Runs `svc-build` in a folder on a pseudo-terminal. Returns undefined and says so if `script` of util-linux is not
 * installed.
 */
export function onTerminal(folder: string, args: string, env: NodeJS.ProcessEnv = {}): string | undefined {
  const { PATH, HOME } = process.env
  const options = { cwd: folder, encoding: 'utf8', env: { PATH, HOME, TERM: 'xterm', ...env } } as const
  const { error, stdout } = spawnSync('script', ['-qec', `node_modules/.bin/svc-build ${args}`, '/dev/null'], options)
  if (error === undefined) return stdout.replaceAll('\r\n', '\n')
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  leaveOut('svc-build on a terminal', 'script (util-linux) is not installed')
  return undefined
}

/** A rig that calls the installation in `home` from another folder. */
export function rigIn(folder: string, home: string = folder): Rig {
  const command = join(home, 'node_modules/.bin/svc-build')
  const run: Rig['run'] = (args, env = {}) => {
    const options = { cwd: folder, encoding: 'utf8', env: { ...quiet, ...env }, maxBuffer: 2 ** 26 } as const
    const { status, stdout, stderr, error } = spawnSync(command, [...args], options)
    if (error !== undefined) throw error
    return { code: status, out: stdout, err: stderr }
  }
  return {
    folder,
    run,
    good: (...args) => {
      const { code, out, err } = run(args)
      assert.is(code, 0, `svc-build ${args.join(' ')}\n${out}\n${err}`)
      return out
    },
    json: <T>(args: readonly string[], wanted = 0) => {
      const { code, out, err } = run([...args, '--json'])
      assert.is(code, wanted, `svc-build ${args.join(' ')}\n${out.slice(0, 2_000)}\n${err}`)
      return JSON.parse(out) as T
    },
    start: (args, env = {}) => startChild(command, { args, cwd: folder, env: { ...quiet, ...env } }),
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    write: (name, text) => writeFileSync(join(folder, name), text),
    remove: () => rmSync(folder, { recursive: true, force: true }),
    path: (name) => join(folder, name),
  }
}

/** Masks values that differ between builds: hashes, sizes and times. */
export function masked(text: string): string {
  return text
    .replace(/\b[0-9a-f]{64}\b/g, '<hash>')
    .replace(/\b\d[\d.]* (KiB|MiB|ms|s|bytes)\b/g, '<n> $1')
    .replace(/\b\d+ files\b/g, '<n> files')
    .replace(/^ +\d+ {2}(?=\S)/gm, '    <n>  ')
}
