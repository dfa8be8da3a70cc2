/** The parts of an executable for another platform: the pinned packages of that platform, downloaded on first use. */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { buildFail } from '../../build/errors.ts'
import { root, workDir } from '../../build/paths.ts'
import { downloadPackage } from '../../build/prove/packages/download.ts'
import { counts, lockedPackages, pins } from '../../build/prove/packages/pins.ts'
import { treeHash } from '../../build/prove/packages/tree-hash.ts'
import { host, hostRuntime, nodePackages, type Runtime } from '../node-runtime.ts'

/** The possible values of `TARGET`. */
export const targets: readonly string[] = Object.keys(nodePackages).map((platform) => platform.replace('win32', 'win'))

/**
 * The runtime of a target such as `linux-arm64` or `win-x64`.
 * @throws SvcError `ERR_BUILD_FAILED` for an unknown target, and `ERR_PROOF_PACKAGE` if a package differs from its pin
 */
export function targetRuntime(target: string): Runtime {
  const platform = target.replace(/^win-/, 'win32-')
  const name = nodePackages[platform]
  if (name === undefined) {
    const hint = `There are ${targets.join(', ')}.`
    throw buildFail('ERR_BUILD_FAILED', { message: `There is no Node for ${target}.`, hint })
  }
  if (platform === host) return hostRuntime()
  const { node, abi } = hostRuntime()
  const { version } = lockedPackages()[`node_modules/${name}`]!
  // A program of another platform cannot run here, so the ABI is read from this platform's Node, which must have the
  // same version.
  if (version !== node) {
    throw buildFail('ERR_BUILD_FAILED', {
      message: `${name} is pinned as ${version}, and the Node of this platform as ${node}.`,
    })
  }
  const program = platform.startsWith('win32') ? 'node.exe' : 'node'
  return { platform, node, abi, file: join(downloadedFolder(`node_modules/${name}`), 'bin', program), find }
}

/** Returns the path of a package's file: installed, or downloaded for the target. */
function find(path: string): string {
  const file = resolve(root, path)
  const inside = relative(root, file).replaceAll('\\', '/')
  const [, place, name] = /^(node_modules\/(?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(inside) ?? []
  if (place === undefined || existsSync(resolve(root, place)) || lockedPackages()[place] === undefined) return file
  return join(downloadedFolder(place), name!)
}

/** Whether the Node of a target has been downloaded before. */
export function isDownloaded(target: string): boolean {
  return existsSync(folderOf(`node_modules/${nodePackages[target.replace(/^win-/, 'win32-')]}`))
}

/** The folder of a downloaded package below `.build/`. Each call checks it against its pin. */
function downloadedFolder(place: string): string {
  const locked = lockedPackages()[place]!
  const folder = folderOf(place)
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${process.pid}`
    downloadPackage(place, locked, unfinished)
    renameSync(unfinished, folder)
  }
  if (treeHash(folder, (file) => counts(place, file)) === pins()[place]?.sha256) return folder
  rmSync(folder, { recursive: true, force: true })
  throw buildFail('ERR_PROOF_PACKAGE', { message: `${place} differs from the package that the lock file names.` })
}

function folderOf(place: string): string {
  const name = place.replace('node_modules/', '')
  const { version } = lockedPackages()[place]!
  return join(workDir, '.build/targets', `${name.replace('/', '+')}-${version}`, 'node_modules', name)
}
