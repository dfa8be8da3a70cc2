/** Loads uWebSockets.js: from the package, or out of the single executable that carries it. */
import { transportFail } from '../errors.ts'
import { isExecutable, loadNativeAsset } from '../native-asset.ts'
import type { Uws } from './addon.ts'

let loaded: { readonly uws: Uws; readonly maxHeaderBytes: number } | undefined

/**
 * The addon. It reads its limit for the head of a request once, from the environment of the process, while it loads.
 * @throws SvcError `ERR_UWS_UNAVAILABLE` with the reason
 */
export async function loadAddon(maxHeaderBytes: number): Promise<Uws> {
  if (loaded === undefined) {
    process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = String(maxHeaderBytes)
    try {
      const uws = isExecutable() ? fromExecutable() : await fromPackage()
      uws._cfg?.('silent')
      loaded = { uws, maxHeaderBytes }
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message.split('\n', 1)[0]! : String(cause)
      throw transportFail('ERR_UWS_UNAVAILABLE', { message: `uWebSockets.js does not load: ${reason}`, cause })
    }
  }
  if (loaded.maxHeaderBytes !== maxHeaderBytes) {
    throw transportFail('ERR_UWS_UNAVAILABLE', {
      message: `uWebSockets.js is loaded in this process with server.max_header_bytes ${loaded.maxHeaderBytes}.`,
    })
  }
  return loaded.uws
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
