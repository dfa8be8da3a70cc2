/** Certificates of an authority of the test's own. */
import { type CertificatePair, createAuthority } from '../../../scripts/cluster/certificates.ts'
import { folderWith } from '../../support/folder.ts'

/** An authority, what it certifies, and an authority that nobody trusts. */
export interface Certificates {
  readonly ca: string
  readonly otherCa: string
  /** For localhost. */
  readonly server: CertificatePair
  readonly client: CertificatePair
}

/** Makes certificates; gives the paths of PEM files. */
export function makeCertificates(): Certificates {
  const folder = folderWith()
  const authority = createAuthority(folder)
  const other = createAuthority(folder, 'other-ca')
  return {
    ca: authority.cert,
    otherCa: other.cert,
    server: authority.issue('server'),
    client: authority.issue('client'),
  }
}
