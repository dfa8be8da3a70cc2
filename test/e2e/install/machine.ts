/**
 * A bare machine: a root folder with the programs of this machine but without Node, and nothing else of this machine.
 * Each process enters it in a mount namespace of its own.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Child, startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'
import type { UnitFile } from './unit-file.ts'

/** Why no machine can be made here; undefined where one can. */
export const cannotMake: string | undefined = ((): string | undefined => {
  if (process.platform !== 'linux' || process.getuid!() !== 0)
    return 'only root on Linux may change the root of a process'
  for (const program of ['useradd', 'setpriv', 'mount', 'chroot'])
    if (spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0) return `${program} is not installed`
  return spawnSync('unshare', ['--mount', 'true']).status === 0 ? undefined : 'this system forbids unshare --mount'
})()

/** The result of a command. */
export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** A machine without the service manager: the test starts the service as a unit says. */
export interface Machine {
  /** The root folder, as this machine sees it. */
  readonly root: string
  /** Runs a command of root, or of another user, in a folder. */
  run(command: readonly string[], options?: { readonly user?: string; readonly cwd?: string }): Ran
  /** The command line, for this machine, of a script of root. */
  scriptOf(script: string): readonly [command: string, args: readonly string[], env: Readonly<Record<string, string>>]
  /**
   * Starts the command of a unit with its user, its folders, and the restrictions that need no filter of the kernel.
   */
  start(unit: UnitFile): Child
  /** Does what follows the end of a unit: its runtime folder is removed. */
  ended(unit: UnitFile): void
}

/** The variables of a command of root, as a login sets them. */
const LOGIN = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', LANG: 'C.UTF-8' }

/** Makes a machine with the users root and ada. */
export function createMachine(): Machine {
  const root = folderWith({
    'etc/passwd': 'root:x:0:0:root:/root:/bin/sh\nada:x:1000:1000::/home/ada:/bin/sh\n',
    'etc/group': 'root:x:0:\nada:x:1000:\n',
    'etc/shadow': 'root:*:19000::::::\n',
  })
  chmodSync(root, 0o755)
  for (const name of ['dev', 'home', 'proc', 'root', 'run', 'tmp', 'usr', 'local', 'var/lib', 'var/tmp', 'var/backups'])
    mkdirSync(join(root, name), { recursive: true })
  for (const name of ['bin', 'lib', 'sbin']) mkdirSync(join(root, 'local', name))
  chmodSync(join(root, 'root'), 0o700)
  // On Debian these are links into /usr.
  for (const name of ['bin', 'lib', 'lib64', 'sbin'])
    if (lstatSync(`/${name}`, { throwIfNoEntry: false })?.isSymbolicLink())
      symlinkSync(readlinkSync(`/${name}`), join(root, name))
  const enter = (more: readonly string[], command: readonly string[], cwd = '/'): string[] => [
    '--mount',
    'sh',
    '-euc',
    [...base(root), ...more, `exec chroot ${root} sh -c 'cd "$0" && exec "$@"' ${cwd} "$@"`].join('\n'),
    'sh',
    ...command,
  ]
  return {
    root,
    run(command, { user, cwd } = {}) {
      const asUser = user === undefined ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups']
      const { status, stdout, stderr } = spawnSync('unshare', enter([], [...asUser, ...command], cwd), {
        env: LOGIN,
        encoding: 'utf8',
      })
      return { code: status, out: stdout, err: stderr }
    },
    scriptOf: (script) => ['unshare', enter([], ['sh', '-c', script], '/root'), LOGIN],
    start(unit) {
      const [state, runtime] = [`/var/lib/${unit.state.name}`, `/run/${unit.runtime.name}`]
      for (const [folder, { mode }] of [
        [state, unit.state],
        [runtime, unit.runtime],
      ] as const)
        this.run(['install', '-d', `--owner=${unit.user}`, `--group=${unit.group}`, `--mode=${mode}`, folder])
      const environment = {
        ...{ LANG: LOGIN.LANG, PATH: LOGIN.PATH, HOME: '/nonexistent', SHELL: '/usr/sbin/nologin' },
        ...{ USER: unit.user, LOGNAME: unit.user, STATE_DIRECTORY: state, RUNTIME_DIRECTORY: runtime },
      }
      const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
      const command = [
        ...['setpriv', `--reuid=${unit.user}`, `--regid=${unit.group}`],
        ...['--init-groups', '--no-new-privs', '--bounding-set=-all', '--inh-caps=-all'],
        ...['env', '-i', ...variables, 'sh', '-c', `umask ${unit.umask} && exec "$@"`, 'sh', ...unit.command],
      ]
      return startChild('unshare', { args: enter(restricted(root, [state, runtime]), command), env: LOGIN })
    },
    ended: ({ runtime }) => rmSync(join(root, 'run', runtime.name), { recursive: true, force: true }),
  }
}

/** The mounts of every process: the programs of this machine, read-only and without Node, and an empty /usr/local. */
function base(root: string): string[] {
  const nodes = ['/usr/bin/node', '/usr/bin/nodejs', '/bin/node'].filter((path) => existsSync(path))
  return [
    `mount --bind ${root} ${root}`,
    `mount --bind /usr ${root}/usr`,
    `mount -o remount,ro,bind ${root}/usr`,
    `mount --bind ${root}/local ${root}/usr/local`,
    ...nodes.map((path) => `mount --bind /dev/null ${root}${path}`),
    `mount -t proc proc ${root}/proc`,
    `mount --rbind /dev ${root}/dev`,
  ]
}

/**
 * ProtectSystem=strict, ProtectHome=yes, PrivateTmp=yes and PrivateDevices=yes. `writable` are the folders of the unit.
 */
function restricted(root: string, writable: readonly string[]): string[] {
  const devices = ['null', 'zero', 'full', 'random', 'urandom']
  const empty = (path: string, mode: string): string => `mount -t tmpfs -o mode=${mode} tmpfs ${root}${path}`
  return [
    ...writable.map((path) => `mount --bind ${root}${path} ${root}${path}`),
    `umount -l ${root}/dev`,
    empty('/dev', '0755'),
    ...devices.map((name) => `touch ${root}/dev/${name} && mount --bind /dev/${name} ${root}/dev/${name}`),
    ...['/tmp', '/var/tmp'].map((path) => empty(path, '1777')),
    ...['/home', '/root'].map((path) => empty(path, '0000')),
    `mount -o remount,ro,bind ${root}/usr/local`,
    `mount -o remount,ro,bind ${root}`,
  ]
}

/** Writes a file of the machine, as an operator does with an editor. */
export function writeOn({ root }: Machine, path: string, text: string): void {
  writeFileSync(join(root, path), text)
}
