/** Creates a private certificate authority with openssl. */
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The reason why openssl cannot be used here; undefined if it can. */
export const noOpenssl: string | undefined =
  spawnSync('openssl', ['version']).status === 0 ? undefined : 'openssl is not installed'

/** A certificate and its private key. */
export interface CertificatePair {
  readonly cert: string
  readonly key: string
}

/** A certificate authority. Paths name PEM files. */
export interface Authority {
  /** The certificate of the authority, which its users trust. */
  readonly cert: string
  /** Issues a certificate for `localhost`, for servers and clients. */
  issue(name: string): CertificatePair
  /** Removes the private key of the authority, so that no more certificates can be issued. */
  close(): void
}

/** Creates an authority in a folder. Its certificates are valid for 30 days. */
export function createAuthority(folder: string, name = 'ca'): Authority {
  const at = (file: string): string => join(folder, file)
  const openssl = (...args: readonly string[]): void => {
    const { status, stderr } = spawnSync('openssl', args, { encoding: 'utf8', cwd: folder })
    if (status !== 0) throw new Error(`openssl failed\n${stderr}`)
  }
  const keyOf = (one: string): readonly string[] => [
    ...['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-keyout', at(`${one}.key`), '-subj', `/CN=${one}`],
  ]
  const extensions = at('extensions.cnf')
  if (!existsSync(extensions))
    writeFileSync(extensions, 'subjectAltName=DNS:localhost\nextendedKeyUsage=serverAuth,clientAuth\n')
  openssl('req', '-x509', '-days', '30', ...keyOf(name), '-out', at(`${name}.pem`))
  return {
    cert: at(`${name}.pem`),
    issue: (one) => {
      const [request, cert] = [at(`${one}.csr`), at(`${one}.pem`)]
      openssl('req', '-new', ...keyOf(one), '-out', request)
      const by = ['-CA', at(`${name}.pem`), '-CAkey', at(`${name}.key`), '-CAcreateserial', '-days', '30']
      openssl('x509', '-req', '-in', request, ...by, '-extfile', extensions, '-out', cert)
      return { cert, key: at(`${one}.key`) }
    },
    close: () => rmSync(at(`${name}.key`)),
  }
}
