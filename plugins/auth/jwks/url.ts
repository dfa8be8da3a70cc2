import { authFail } from '../errors.ts'

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * The JWKS URL in its normal form.
 * @throws SvcError `ERR_JWKS_URL_INVALID`, `ERR_JWKS_URL_INSECURE`
 */
export function readJwksUrl(text: string): string {
  const url = parse(text)
  const isHttp = url.protocol === 'https:' || url.protocol === 'http:'
  if (!isHttp || url.username !== '' || url.password !== '') throw authFail('ERR_JWKS_URL_INVALID')
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname)) throw authFail('ERR_JWKS_URL_INSECURE')
  return url.href
}

function parse(text: string): URL {
  try {
    return new URL(text)
  } catch {
    throw authFail('ERR_JWKS_URL_INVALID')
  }
}
