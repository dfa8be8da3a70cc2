/** Certificates of an authority of the test's own, made by openssl. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { folderWith } from '../../support/folder.ts'

/** Why there can be no certificates here; undefined where there can. */
export const noOpenssl: string | undefined =
  spawnSync('openssl', ['version']).status === 0 ? undefined : 'openssl is not installed'

/** An authority, what it certifies, and an authority that nobody trusts. */
export interface Certificates {
  readonly ca: string
  readonly otherCa: string
  /** For localhost. */
  readonly server: { readonly cert: string; readonly key: string }
  readonly client: { readonly cert: string; readonly key: string }
}

/** Makes certificates; gives the paths of PEM files. */
export function makeCertificates(): Certificates {
  const folder = folderWith({
    'extensions.cnf': 'subjectAltName=DNS:localhost\nextendedKeyUsage=serverAuth,clientAuth\n',
  })
  const at = (name: string): string => join(folder, name)
  const openssl = (...args: readonly string[]): void => {
    const { status, stderr } = spawnSync('openssl', args, { encoding: 'utf8', cwd: folder })
    if (status !== 0) throw new Error(stderr)
  }
  const keyOf = (name: string): readonly string[] => [
    ...['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-keyout', at(`${name}.key`), '-subj', `/CN=${name}`],
  ]
  for (const name of ['ca', 'other-ca'])
    openssl('req', '-x509', '-days', '2', ...keyOf(name), '-out', at(`${name}.pem`))
  for (const name of ['server', 'client']) {
    openssl('req', '-new', ...keyOf(name), '-out', at(`${name}.csr`))
    const by = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-days', '2']
    openssl(
      'x509',
      '-req',
      '-in',
      at(`${name}.csr`),
      ...by,
      '-extfile',
      at('extensions.cnf'),
      '-out',
      at(`${name}.pem`),
    )
  }
  const pair = (name: string): Certificates['server'] => ({ cert: at(`${name}.pem`), key: at(`${name}.key`) })
  return { ca: at('ca.pem'), otherCa: at('other-ca.pem'), server: pair('server'), client: pair('client') }
}
