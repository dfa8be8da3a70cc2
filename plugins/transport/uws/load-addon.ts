/** Loads uWebSockets.js: from the package, or out of the single executable that carries it. */
import { constants } from 'node:os'
import { dirname } from 'node:path'
import { transportFail } from '../errors.ts'
import { isExecutable, loadNativeAsset } from '../native-asset.ts'
import type { Uws } from './addon.ts'
import { addonFileAt, installedVersion, versionAbove } from './find-addon.ts'

/** Which addon is wanted. */
export interface AddonChoice {
  /** The addon reads its limit for the head of a request once, from the environment of the process, while it loads. */
  readonly maxHeaderBytes: number
  /** The path of a file, or of a folder of the package; empty for the addon that is installed or carried. */
  readonly path: string
}

/** An addon, and where it is from. */
export interface LoadedAddon {
  readonly uws: Uws
  /** Name and version of its package, as far as they are known. */
  readonly version: string | null
}

let loaded: (LoadedAddon & AddonChoice) | undefined

/**
 * Loads the addon, once in a process.
 * @throws SvcError `ERR_UWS_UNAVAILABLE` with the reason
 */
export async function loadAddon({ maxHeaderBytes, path }: AddonChoice): Promise<LoadedAddon> {
  if (loaded === undefined) {
    process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = String(maxHeaderBytes)
    try {
      const found = path === '' ? await fromHere() : fromFile(addonFileAt(path))
      found.uws._cfg?.('silent')
      loaded = { ...found, maxHeaderBytes, path }
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message.split('\n', 1)[0]! : String(cause)
      throw transportFail('ERR_UWS_UNAVAILABLE', { message: `uWebSockets.js does not load: ${reason}`, cause })
    }
  }
  const other = loaded.maxHeaderBytes !== maxHeaderBytes ? `server.max_header_bytes ${loaded.maxHeaderBytes}` : ''
  const elsewhere = loaded.path !== path ? `server.uws_addon ${JSON.stringify(loaded.path)}` : ''
  if (other !== '' || elsewhere !== '')
    throw transportFail('ERR_UWS_UNAVAILABLE', {
      message: `uWebSockets.js is loaded in this process with ${other || elsewhere}.`,
    })
  return loaded
}

async function fromHere(): Promise<LoadedAddon> {
  if (isExecutable()) return { uws: fromExecutable(), version: null }
  return { uws: await fromPackage(), version: installedVersion(dirname(process.argv[1] ?? process.cwd())) ?? null }
}

function fromFile(file: string): LoadedAddon {
  const module: { exports: unknown } = { exports: {} }
  process.dlopen(module, file, constants.dlopen.RTLD_NOW)
  return { uws: module.exports as Uws, version: versionAbove(file) ?? null }
}

async function fromPackage(): Promise<Uws> {
  const module: unknown = await import('uWebSockets.js')
  // The official package is CommonJS and comes as the default export; the repack has named ones.
  const uws = 'App' in (module as object) ? module : (module as { default: unknown }).default
  return uws as Uws
}

function fromExecutable(): Uws {
  const uws = loadNativeAsset('uws.node')
  if (uws === undefined) throw new Error('this executable was made without it.')
  return uws as Uws
}
