import type { SvcError } from '../../../core/errors.ts'
import { refuseSetting } from '../errors.ts'

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * The JWKS URL in its normal form.
 * @throws SvcError `ERR_SETTINGS_INVALID` where it is no http(s) URL, or plain http to another host
 */
export function readJwksUrl(text: string): string {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw invalid()
  }
  const isHttp = url.protocol === 'https:' || url.protocol === 'http:'
  if (!isHttp || url.username !== '' || url.password !== '') throw invalid()
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname)) {
    throw refuseSetting(
      'security.jwks_url',
      'plain http to another host, so that anybody on the way could replace the keys',
      'Use https, or http for localhost, 127.0.0.1 and [::1] only.',
    )
  }
  return url.href
}

function invalid(): SvcError {
  return refuseSetting(
    'security.jwks_url',
    'not an absolute http(s) URL without user name and password',
    'Set SVC_SECURITY__JWKS_URL to the jwks_uri of the issuer, such as https://issuer.example/jwks.json.',
  )
}
