/** The certificate and the private key of the runtime surface, as PEM files (RFC 7468). */
import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { SvcError } from '../../../core/declare/errors.ts'
import { settingFail } from '../../../core/kernel/settings/paths.ts'

/** Paths of the two files. */
export interface KeyPairFiles {
  /** The certificate, followed by the intermediate ones. */
  readonly cert: string
  readonly key: string
}

/** The contents of the files. */
export interface KeyPair {
  readonly cert: Buffer
  readonly key: Buffer
  /** SHA-256 of the certificate, in upper-case hex with colons. */
  readonly fingerprint: string
  /** Times in milliseconds since 1970 between which the certificate is valid. */
  readonly validFromMs: number
  readonly validToMs: number
}

/** The permission of everybody to read, in the mode of a file. */
const READABLE_BY_ALL = 0o004

/**
 * Reads both files and checks that they belong together.
 * @throws SvcError `ERR_SETTING_UNUSABLE`, which names the setting and the file and quotes nothing of it
 */
export function readKeyPair(files: KeyPairFiles): KeyPair {
  const cert = read('server.tls.cert', files.cert)
  const key = read('server.tls.key', files.key)
  if ((statSync(files.key).mode & READABLE_BY_ALL) !== 0) {
    throw unusable('server.tls.key', `${files.key} can be read by every user.`, `chmod o-rwx ${files.key}`)
  }
  const parsed = parseCertificate(files.cert, cert)
  try {
    createSecureContext({ cert, key })
  } catch (cause) {
    const mismatch = (cause as NodeJS.ErrnoException).code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH'
    const what = mismatch
      ? `is not the key of the certificate ${files.cert}`
      : 'has no private key in PEM without a passphrase'
    throw unusable('server.tls.key', `${files.key} ${what}.`, 'Give the key that the certificate was made for.', cause)
  }
  return {
    cert,
    key,
    fingerprint: parsed.fingerprint256,
    validFromMs: Date.parse(parsed.validFrom),
    validToMs: Date.parse(parsed.validTo),
  }
}

function parseCertificate(file: string, cert: Buffer): X509Certificate {
  try {
    return new X509Certificate(cert)
  } catch (cause) {
    const hint = 'Give the certificate first, then those between it and the root, each in PEM.'
    throw unusable('server.tls.cert', `${file} has no certificate in PEM.`, hint, cause)
  }
}

function read(setting: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    const { code = 'an error' } = cause as NodeJS.ErrnoException
    throw unusable(
      setting,
      `${file} cannot be read (${code}).`,
      'Give the path of a PEM file that this user may read.',
      cause,
    )
  }
}

function unusable(setting: string, problem: string, hint: string, cause?: unknown): SvcError {
  return settingFail('ERR_SETTING_UNUSABLE', { message: `${setting}: ${problem}`, hint, cause })
}
