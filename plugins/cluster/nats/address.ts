import { isIP } from 'node:net'
import { isPercentEncoded } from '../is-percent-encoded.ts'

/** The servers of NATS that `cluster.nats_url` names, and the credentials in it. */
export interface NatsAddress {
  readonly servers: string[]
  readonly user?: string
  readonly pass?: string
  readonly token?: string
  /** Whether connections are refused unless they are encrypted. */
  readonly isTls: boolean
}

const pattern = /^(?:nats|tls):\/\/[^/]+\/?$/

/** Why a text is not an address of NATS; undefined if it is one. */
export function addressProblem(text: string): string | undefined {
  const urls = parse(text)
  if (urls === undefined) return 'not a nats:// or tls:// URL with a host'
  if (new Set(urls.map(({ protocol }) => protocol)).size > 1) return 'a list of both nats:// and tls:// addresses'
  // The client verifies the certificate of an IP address as if it were for "localhost".
  if (urls.some(({ protocol, hostname }) => protocol === 'tls:' && isIP(hostname.replace(/^\[|\]$/g, '')) !== 0))
    return 'a tls:// address without a host name that a certificate can be verified against'
  // One set of credentials serves all addresses, and may be given with any of them.
  const credentials = urls.map(({ username, password }) => `${username}:${password}`).filter((one) => one !== ':')
  if (new Set(credentials).size > 1) return 'a list of addresses with different credentials'
  const isEncoded =
    credentials.every(isPercentEncoded) && urls.every(({ hash, search }) => hash === '' && search === '')
  return isEncoded ? undefined : 'credentials that are not percent-encoded'
}

/** Reads an address; undefined if `addressProblem` names a problem. */
export function readAddress(text: string): NatsAddress | undefined {
  const urls = addressProblem(text) === undefined ? (parse(text) ?? []) : []
  const [first] = urls
  if (first === undefined) return undefined
  const { username = '', password = '' } = urls.find((url) => url.username !== '') ?? {}
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)]
  return {
    servers: urls.map((url) => `${url.hostname}:${url.port || '4222'}`),
    isTls: first.protocol === 'tls:',
    ...(user !== '' && (pass === '' ? { token: user } : { user, pass })),
  }
}

function parse(text: string): readonly URL[] | undefined {
  const urls = text.split(',').flatMap((one) => {
    const url = pattern.test(one.trim()) ? URL.parse(one.trim()) : null
    return url === null || url.hostname === '' ? [undefined] : [url]
  })
  return urls.every((url) => url !== undefined) ? urls : undefined
}
