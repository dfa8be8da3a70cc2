/** Certificates for tests. */
import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'

/** Creates a self-signed certificate for a host, localhost by default, as `name.crt` and `name.key`. */
export function makePair(folder: string, name: string, host = 'DNS:localhost'): { crt: string; key: string } {
  const [crt, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)]
  const options = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
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
