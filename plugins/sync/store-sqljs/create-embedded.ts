/** The sync engine as a library, its receipts in bytes that the host keeps. */
import type { Registry } from '../../../core/declare/manifest.ts'
import type { Plugin } from '../../../core/declare/plugin.ts'
import { checkOptions, type Embedded, memberOf, type StartOptions, startEmbedded } from '../embedded/start-embedded.ts'
import { openBytesStore } from './bytes-store.ts'
import { createPersistence, type EmbeddedHost } from './host.ts'

export type { Embedded, EmbeddedSync } from '../embedded/start-embedded.ts'

/** What an embedded engine is made from. */
export interface EmbeddedOptions extends StartOptions {
  readonly host: EmbeddedHost
}

/**
 * Starts an engine on the bytes that the host has saved. Rejects with `ERR_HOST_INCOMPLETE` and everything that the
 * host lacks, with `ERR_SQL_WASM`, with `receipt_store_unavailable` if the host cannot load, or with `store_damaged`,
 * `store_newer` or `store_foreign` if the bytes are no store of this version or an older one. Nothing is saved then.
 */
export async function createEmbedded(registry: Registry<Plugin>, options: EmbeddedOptions): Promise<Embedded> {
  const wasm = memberOf(options, 'sqlWasm')
  const hasWasm = typeof wasm === 'object' && wasm !== null
  checkOptions(
    options,
    ['persistence.load', 'persistence.save'],
    hasWasm ? [] : ['sqlWasm (sql-wasm.wasm: bytes or module)'],
  )
  const { host } = options
  return startEmbedded(
    registry,
    options,
    ({ callbacks }, { sha256 }, parts) =>
      openBytesStore(createPersistence(host.persistence, callbacks), host.sqlWasm, sha256, parts),
    {
      store_damaged: 'nothing was saved; persistence.load() can give an earlier copy, or null to begin anew',
      store_newer: 'nothing was saved; the app needs a newer version of this library',
      store_foreign: 'nothing was saved; persistence.load() gave the file of another program',
    },
  )
}
