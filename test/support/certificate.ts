/** Certificates for tests. */
import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Creates a self-signed certificate for a host, localhost by default, that ends after some days, as `name.crt` and
 * `name.key`.
 */
export function makePair(
  folder: string,
  name: string,
  host: string = 'DNS:localhost',
  days: number = 2,
): { crt: string; key: string } {
  const [crt, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)]
  const options = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    String(days),
    '-keyout',
    key,
    '-out',
    crt,
  ]
  const subject = ['-subj', '/CN=localhost', '-addext', `subjectAltName=${host}`]
  execFileSync('openssl', ['req', '-x509', ...options, ...subject], { stdio: 'pipe' })
  chmodSync(key, 0o600)
  return { crt, key }
}
