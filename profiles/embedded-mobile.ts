/** The sync engine as a library, for a host that provides identity, transport and persistence. */
import type { MatrixSet, Profile } from '../core/declare/matrix.ts'

/** Profile `embedded-mobile`. */
export const profile: Profile<MatrixSet> = {
  name: 'embedded-mobile',
  summary: 'The sync engine as a library; the host owns identity, transport and persistence',
  library: {
    platform: 'bare',
    features: { 'sync.engine': true, 'sync.store-sqljs': true },
    gzipBytes: 48_615,
    gzipLimit: 48 * 1024,
  },
}
