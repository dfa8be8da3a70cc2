/** The runtimes that npm installs. They have a separate lock file, because they are hundreds of megabytes. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root, workDir } from '../../../scripts/build/paths.ts'

const folder = join(workDir, '.build', 'reach', 'runtimes')
const pinned = join(import.meta.dirname, '..', 'package.json')

/** The reason why a pinned runtime is absent. */
const NOT_INSTALLED = 'make reach has not installed it'

/** Installs the runtimes below `.build/`, once for each lock file. No script of a package is run. */
export function installRuntimes(): void {
  mkdirSync(folder, { recursive: true })
  const files = ['package.json', 'package-lock.json']
  const isSame = (name: string): boolean =>
    existsSync(join(folder, name)) &&
    readFileSync(join(folder, name)).equals(readFileSync(join(import.meta.dirname, '..', name)))
  if (existsSync(join(folder, 'node_modules')) && files.every(isSame)) return
  for (const name of files) copyFileSync(join(import.meta.dirname, '..', name), join(folder, name))
  // Peers are not installed: those of the packages of React Native are React Native itself, of which only types and a
  // stub are used.
  const args = ['ci', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
}

/** A pinned package: its program, and its version. */
export interface Installed {
  readonly program: string
  readonly version: string
  readonly absent: string | undefined
}

/**
 * The path of a package's `package.json`. The package is pinned in `test/reach/package.json`, or is a package of the
 * project itself.
 */
export function packageFile(name: string): string {
  const own = join(root, 'node_modules', name, 'package.json')
  return pins()[name] === undefined ? own : join(folder, 'node_modules', name, 'package.json')
}

/** The program or another file of a package. */
export function installed(name: string, path: string): Installed {
  const file = packageFile(name)
  const program = join(dirname(file), path)
  const absent = existsSync(program) ? undefined : NOT_INSTALLED
  const version =
    pins()[name]?.split('@').at(-1) ?? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
  return { program, version, absent }
}

/** The pinned versions by name. The value of an alias also ends with its version. */
function pins(): Readonly<Record<string, string>> {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(pinned, 'utf8')) as Readonly<
    Record<'dependencies' | 'optionalDependencies', Readonly<Record<string, string>>>
  >
  return { ...dependencies, ...optionalDependencies }
}
