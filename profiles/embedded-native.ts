/** The sync engine as a library, for a host that provides identity, transport and its own SQLite. */
import type { MatrixSet, Profile } from '../core/declare/matrix.ts'

/** Profile `embedded-native`. */
export const profile: Profile<MatrixSet> = {
  name: 'embedded-native',
  summary: 'The sync engine as a library on the SQLite of its host, without WebAssembly',
  library: {
    platform: 'bare',
    features: { 'sync.engine': true, 'sync.store-host': true },
    gzipLimit: 40 * 1024,
  },
}
