import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { type ConnectionOptions, checkServerIdentity, createSecureContext } from 'node:tls'
import { isPercentEncoded } from '../is-percent-encoded.ts'

/** The values of `sslmode`, as libpq defines them. */
const modes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const

/** The parameters of a URL that concern TLS; PostgreSQL itself does not know them. */
const parameters = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const

/** The other parameters of a URL that the client or PostgreSQL uses. */
const others = ['application_name', 'options', 'target_session_attrs']

/** The values of `target_session_attrs` that the client has. */
const targets = ['read-write', 'read-only', 'primary', 'standby', 'prefer-standby']

/** How PostgreSQL is reached: a URL without parameters of TLS, and TLS as the client takes it. */
export interface PostgresAccess {
  readonly url: string
  /** Absent if the URL has no `sslmode`. */
  readonly ssl?: boolean | 'allow' | 'prefer' | 'require' | ConnectionOptions
}

interface TlsParameters {
  readonly mode: (typeof modes)[number] | undefined
  /** The file of the authorities; undefined stands for those that Node.js trusts. */
  readonly ca: string | undefined
  readonly cert: string | undefined
  readonly key: string | undefined
  readonly hosts: readonly string[]
}

/** Reads the URL and the files that it names. @throws Error if a file cannot be read */
export function readAccess(text: string): PostgresAccess {
  const url = new URL(text)
  const tls = readParameters(url)
  if (!parameters.some((name) => url.searchParams.has(name))) return { url: url.href }
  for (const name of parameters) url.searchParams.delete(name)
  return { url: url.href, ...(tls.mode !== undefined && { ssl: toSsl(tls) }) }
}

/** Whether TLS is used, or tried, with a server that nobody has verified. */
export function verifiesNobody(text: string): boolean {
  const { mode, ca } = readParameters(new URL(text))
  return mode === 'allow' || mode === 'prefer' || (mode === 'require' && ca === undefined)
}

/**
 * Why a URL cannot be used; undefined if it can. A character of a password that is not percent-encoded may end up in
 * any part of the URL, so no part is in the message, and no contents of a file.
 */
export function accessProblem(text: string): string | undefined {
  const url = new URL(text)
  const { username, password, pathname, hash, searchParams } = url
  if (
    ![username, password].every(isPercentEncoded) ||
    hash !== '' ||
    text.endsWith('#') ||
    !/^(?:\/[^/@]*)?$/.test(pathname)
  )
    return 'a URL whose user or password is not percent-encoded: write % as %25, # as %23, / as %2F, ? as %3F, @ as %40'
  const names = [...searchParams.keys()]
  const allowedNames = [...parameters, ...others]
  if (names.some((name) => !allowedNames.includes(name)))
    return `a URL with another parameter than ${allowedNames.join(', ')}: percent-encode a ? of the password as %3F`
  if (new Set(names).size < names.length) return 'a URL that has a parameter twice'
  const target = searchParams.get('target_session_attrs')
  if (target !== null && !targets.includes(target))
    return `a URL whose target_session_attrs is none of ${targets.join(', ')}`
  const { mode, ca, cert, key, hosts } = readParameters(url)
  if (url.searchParams.has('sslmode') && mode === undefined) return `a URL whose sslmode is none of ${modes.join(', ')}`
  const isPlain = mode === undefined || mode === 'disable'
  if (isPlain && [ca, cert, key].some((file) => file !== undefined))
    return 'a URL with files for TLS and without an sslmode that uses TLS'
  if ((cert === undefined) !== (key === undefined)) return 'a URL with only one of sslcert and sslkey'
  if (mode === 'verify-full' && hosts.length > 1 && hosts.some((host) => isIP(host) !== 0))
    return 'a URL with sslmode=verify-full and several hosts, one of which is an IP address'
  const problems = [
    ca === undefined ? undefined : fileProblem('sslrootcert', () => new X509Certificate(readFileSync(ca))),
    cert === undefined ? undefined : fileProblem('sslcert', () => new X509Certificate(readFileSync(cert))),
    cert === undefined || key === undefined
      ? undefined
      : fileProblem('sslkey', () => createSecureContext({ cert: readFileSync(cert), key: readFileSync(key) })),
  ]
  return problems.find((problem) => problem !== undefined)
}

function fileProblem(name: string, read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException
    return syscall === undefined
      ? `a URL whose ${name} is not the PEM file that it should be`
      : `a URL whose ${name} cannot be read (${code})`
  }
}

function readParameters({ searchParams, hostname }: URL): TlsParameters {
  const ca = searchParams.get('sslrootcert') ?? undefined
  // The authorities of the system certify everybody on the Internet, so the name has to be verified too.
  const sslMode = ca === 'system' ? 'verify-full' : searchParams.get('sslmode')
  return {
    mode: modes.find((mode) => mode === sslMode),
    ca: ca === 'system' ? undefined : ca,
    cert: searchParams.get('sslcert') ?? undefined,
    key: searchParams.get('sslkey') ?? undefined,
    hosts: hostname.split(',').map((host) => host.replace(/^\[|\]$/g, '')),
  }
}

function toSsl({ mode, ca, cert, key, hosts }: TlsParameters): NonNullable<PostgresAccess['ssl']> {
  const [host = ''] = hosts
  const pair = cert !== undefined && key !== undefined && { cert: readFileSync(cert), key: readFileSync(key) }
  const authorities = ca !== undefined && { ca: readFileSync(ca) }
  if (mode === 'disable') return false
  if (mode === 'verify-full')
    return {
      ...{ ...pair, ...authorities },
      // For an IP address the client names no server, and Node.js would verify the name "localhost".
      ...(isIP(host) !== 0 && { checkServerIdentity: (_: string, peer) => checkServerIdentity(host, peer) }),
    }
  // As in libpq, `require` with a file of authorities verifies as `verify-ca` does.
  if (mode === 'verify-ca' || (mode === 'require' && ca !== undefined))
    return { ...pair, ...authorities, checkServerIdentity: () => undefined }
  if (pair !== false) return { ...pair, rejectUnauthorized: false }
  return mode as 'allow' | 'prefer' | 'require'
}
