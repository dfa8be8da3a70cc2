/** Loads uWebSockets.js: from a path, from the package, or out of the single executable that carries it. */
import { constants } from 'node:os'
import { dirname } from 'node:path'
import type { Awaitable } from '../../../core/kernel/values.ts'
import { transportFail } from '../errors.ts'
import { isExecutable, loadNativeAsset, nativeAssetPackage } from '../native-asset.ts'
import type { Uws } from './addon.ts'
import { addonFileAt, installedFolder, versionAbove } from './find-addon.ts'

/** An addon that has not been loaded yet. */
export interface FoundAddon {
  /**
   * The path of a file, or of a folder of the package, as the setting names it; empty for the one that is installed or
   * carried.
   */
  readonly path: string
  /** Name and version of its package, as far as they are known. */
  readonly version: string | null
  load(): Awaitable<Uws>
}

let loaded: { readonly uws: Uws; readonly path: string; readonly maxHeaderBytes: number } | undefined

/**
 * Finds the addon that `path` names, or else the one that is installed or in the executable. The version is that of the
 * very file that `load` takes.
 * @throws SvcError `ERR_UWS_UNAVAILABLE` with the reason
 */
export function findAddon(path: string): FoundAddon {
  try {
    if (path !== '') return fromFile(path, addonFileAt(path))
    if (isExecutable()) return { path, version: nativeAssetPackage(ASSET), load: fromExecutable }
    const folder = installedFolder(dirname(process.argv[1] ?? process.cwd()))
    if (folder !== undefined) return fromFile(path, addonFileAt(folder))
  } catch (cause) {
    throw unavailable(cause)
  }
  return { path, version: null, load: fromPackage }
}

/**
 * Loads an addon, once in a process. It reads its limit for the head of a request once, from the environment of the
 * process, while it loads.
 * @throws SvcError `ERR_UWS_UNAVAILABLE` with the reason
 */
export async function loadAddon({ path, load }: FoundAddon, maxHeaderBytes: number): Promise<Uws> {
  if (loaded === undefined) {
    process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = String(maxHeaderBytes)
    try {
      const uws = await load()
      uws._cfg?.('silent')
      loaded = { uws, maxHeaderBytes, path }
    } catch (cause) {
      throw unavailable(cause)
    }
  }
  const other = loaded.maxHeaderBytes !== maxHeaderBytes ? `server.max_header_bytes ${loaded.maxHeaderBytes}` : ''
  const elsewhere = loaded.path !== path ? `server.uws_addon ${JSON.stringify(loaded.path)}` : ''
  if (other !== '' || elsewhere !== '')
    throw transportFail('ERR_UWS_UNAVAILABLE', {
      message: `uWebSockets.js is loaded in this process with ${other || elsewhere}.`,
    })
  return loaded.uws
}

const ASSET = 'uws.node'

function unavailable(cause: unknown): Error {
  const [reason = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n', 1)
  return transportFail('ERR_UWS_UNAVAILABLE', { message: `uWebSockets.js does not load: ${reason}`, cause })
}

function fromFile(path: string, file: string): FoundAddon {
  const load = (): Uws => {
    const module: { exports: unknown } = { exports: {} }
    process.dlopen(module, file, constants.dlopen.RTLD_NOW)
    return module.exports as Uws
  }
  return { path, version: versionAbove(file) ?? null, load }
}

async function fromPackage(): Promise<Uws> {
  const module: unknown = await import('uWebSockets.js')
  // The official package is CommonJS and comes as the default export; the repack has named ones.
  const uws = 'App' in (module as object) ? module : (module as { default: unknown }).default
  return uws as Uws
}

function fromExecutable(): Uws {
  const uws = loadNativeAsset(ASSET)
  if (uws === undefined) throw new Error('this executable was made without it.')
  return uws as Uws
}
