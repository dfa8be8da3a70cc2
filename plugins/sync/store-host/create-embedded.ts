/** The sync engine as a library, its receipts in a SQLite of the host. */

import type { Registry } from '../../../core/declare/manifest.ts'
import type { Plugin } from '../../../core/declare/plugin.ts'
import { systemRandom } from '../../../core/kernel/environment.ts'
import { checkOptions, type Embedded, type StartOptions, startEmbedded } from '../embedded/start-embedded.ts'
import type { HostDatabase } from './database.ts'
import { openHostStore } from './host-store.ts'

export type { CallbackHost } from '../embedded/host.ts'
export type { Embedded, EmbeddedSync } from '../embedded/start-embedded.ts'
export type { HostDatabase } from './database.ts'

/** What an embedded engine is made from. */
export interface EmbeddedOptions extends StartOptions {
  /** The SQLite of the host. It may be the database of the app. */
  readonly database: HostDatabase
}

/**
 * Starts an engine on a database of the host. Rejects with `ERR_HOST_INCOMPLETE` and everything that the host lacks,
 * with `ERR_HOST_VALUE` if the database returns other values than it was given, with `receipt_store_unavailable` if it
 * cannot be read or written now, or with `store_damaged`, `store_newer` or `store_foreign` if its tables `svc_` are no
 * store of this version or an older one.
 */
export async function createEmbedded(registry: Registry<Plugin>, options: EmbeddedOptions): Promise<Embedded> {
  const hostDatabase = ((options as Partial<EmbeddedOptions> | undefined)?.database ?? {}) as Readonly<
    Record<string, unknown>
  >
  const missing = ['exec', 'run', 'all'].filter((name) => typeof hostDatabase[name] !== 'function')
  checkOptions(
    options,
    [],
    missing.map((name) => `database.${name}()`),
  )
  const { database } = options
  return startEmbedded(
    registry,
    options,
    ({ callbacks }, { sha256 }, parts) =>
      openHostStore(database, callbacks, { sha256, token: systemRandom.uuid(), parts }),
    {
      store_damaged: 'nothing was changed; open an earlier copy of the database, or drop its tables svc_ to begin anew',
      store_newer: 'nothing was changed; the app needs a newer version of this library',
      store_foreign: 'nothing was changed; this database has tables svc_ of another program',
    },
  )
}
