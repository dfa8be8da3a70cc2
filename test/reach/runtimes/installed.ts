/** The runtimes that npm installs: pinned in a lock file of their own, because they are hundreds of megabytes. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root, workDir } from '../../../scripts/build/paths.ts'

const folder = join(workDir, '.build', 'reach', 'runtimes')
const pinned = join(import.meta.dirname, '..', 'package.json')

/** Why a pinned runtime is absent. */
const NOT_INSTALLED = 'make reach has not installed it'

/** Installs them below `.build/`, once for each lock file. No script of a package is run. */
export function installRuntimes(): void {
  mkdirSync(folder, { recursive: true })
  const files = ['package.json', 'package-lock.json']
  const isSame = (name: string): boolean =>
    existsSync(join(folder, name)) &&
    readFileSync(join(folder, name)).equals(readFileSync(join(import.meta.dirname, '..', name)))
  if (existsSync(join(folder, 'node_modules')) && files.every(isSame)) return
  for (const name of files) copyFileSync(join(import.meta.dirname, '..', name), join(folder, name))
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
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

/** The path of a package's `package.json`: one of `test/reach/package.json`, or one that the project itself has. */
export function packageFile(name: string): string {
  const own = join(root, 'node_modules', name, 'package.json')
  return pins()[name] === undefined ? own : join(folder, 'node_modules', name, 'package.json')
}

/** The program of a package, or another file of it. */
export function installed(name: string, path: string): Installed {
  const file = packageFile(name)
  const program = join(dirname(file), path)
  const absent = existsSync(program) ? undefined : NOT_INSTALLED
  const version =
    pins()[name]?.split('@').at(-1) ?? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
  return { program, version, absent }
}

/** The pinned versions by name. An alias ends with its version too. */
function pins(): Readonly<Record<string, string>> {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(pinned, 'utf8')) as Readonly<
    Record<'dependencies' | 'optionalDependencies', Readonly<Record<string, string>>>
  >
  return { ...dependencies, ...optionalDependencies }
}
