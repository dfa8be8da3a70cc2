/**
 * Native addons inside a single executable. The system loads an addon only from a file, so it is written to a folder that
 * nobody else may enter, loaded, and removed.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Whether this process is a single executable. Then no addon can come from `node_modules`. */
export function isExecutable(): boolean {
  return sea()?.isSea() === true
}

/**
 * Loads the addon that the executable carries as asset `name`, such as `uws.node`, and gives its exports; undefined where
 * it carries none of that name, or this is no executable.
 * @throws Error of the system where the addon cannot be written or loaded, as with a folder for temporary files that is mounted `noexec`
 */
export function loadNativeAsset(name: string): unknown {
  const bytes = assetOf(name)
  if (bytes === undefined) return undefined
  // Made with mode 0700 and a random name: nobody can put another file in its place before it is loaded.
  const folder = mkdtempSync(join(tmpdir(), 'svc-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const file = join(folder, name)
    writeFileSync(file, bytes, { mode: 0o600, flag: 'wx' })
    const module: { exports: unknown } = { exports: {} }
    process.dlopen(module, file, constants.dlopen.RTLD_NOW)
    return module.exports
  } finally {
    // A mapped file may lose its name, so that a process that is killed leaves nothing; Windows holds it until the end.
    if (process.platform === 'win32') process.once('exit', remove)
    else remove()
  }
}

interface Sea {
  isSea(): boolean
  getRawAsset(name: string): ArrayBuffer
}

function assetOf(name: string): Uint8Array | undefined {
  const carrier = sea()
  if (carrier === undefined || !carrier.isSea()) return undefined
  try {
    return new Uint8Array(carrier.getRawAsset(name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SINGLE_EXECUTABLE_APPLICATION_ASSET_NOT_FOUND') return undefined
    throw error
  }
}

/** Asked for at run time, because a process that is no executable may run on a Node without it. */
function sea(): Sea | undefined {
  return process.getBuiltinModule?.('node:sea') as Sea | undefined
}
