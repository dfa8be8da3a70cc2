import { type CertificatePair, createAuthority } from '../../../scripts/cluster/certificates.ts'
import { folderWith } from '../../support/folder.ts'

/** A private authority, its certificates, and another authority that is not trusted. */
export interface Certificates {
  readonly ca: string
  readonly otherCa: string
  /** For localhost. */
  readonly server: CertificatePair
  readonly client: CertificatePair
}

/** Creates the certificates, and returns the paths of the PEM files. */
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
