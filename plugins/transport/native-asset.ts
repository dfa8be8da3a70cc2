/**
 * Native addons inside a single executable. The system loads an addon from a file only, so the addon is written to a
 * folder that no other user may enter, loaded, and removed.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Whether this process is a single executable. Then no addon can come from `node_modules`. */
export function isExecutable(): boolean {
  return sea()?.isSea() === true
}

/**
 * Loads the addon that is the asset `name` of the executable, such as `uws.node`, and returns its exports; undefined if
 * there is no such asset, or this is no executable.
 * @throws Error of the system if the addon cannot be written or loaded, as with a folder for temporary files that is
 * mounted `noexec`
 */
export function loadNativeAsset(name: string): unknown {
  const bytes = assetOf(name)
  if (bytes === undefined) return undefined
  // The folder has mode 0700 and a random name, so that no other user can replace the file before it is loaded.
  const folder = mkdtempSync(join(tmpdir(), 'svc-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const file = join(folder, name)
    writeFileSync(file, bytes, { mode: 0o600, flag: 'wx' })
    const module: { exports: unknown } = { exports: {} }
    process.dlopen(module, file, constants.dlopen.RTLD_NOW)
    return module.exports
  } finally {
    // A mapped file can be unlinked at once, so that a killed process leaves no file. Windows keeps it until the
    // process ends.
    if (process.platform === 'win32') process.once('exit', remove)
    else remove()
  }
}

/**
 * Name and version of the package that the addon `name` of the executable is from, such as `uws-pack@20.0.8`; null
 * where it is not known.
 */
export function nativeAssetPackage(name: string): string | null {
  const bytes = assetOf('binaries.json')
  if (bytes === undefined) return null
  const rows = JSON.parse(Buffer.from(bytes).toString('utf8')) as { readonly name: string; readonly package?: string }[]
  return rows.find((row) => row.name === name)?.package ?? null
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

/** Loaded at run time, because a Node that is no executable may lack the module. */
function sea(): Sea | undefined {
  return process.getBuiltinModule?.('node:sea') as Sea | undefined
}
