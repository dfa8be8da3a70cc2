import type { SettingRefusal } from '../../../core/settings/resolve.ts'

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Validates the URL of a JWKS. Plain http is refused except for this machine, because keys could be replaced in transit. */
export function refuseJwksUrl(text: string): readonly SettingRefusal[] {
  const key = 'security.jwks_url'
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (url === undefined || !isHttp || url.username !== '' || url.password !== '') {
    const message = 'not an absolute http(s) URL without user name and password'
    const hint = 'Set it to the jwks_uri of the issuer, such as https://issuer.example/jwks.json.'
    return [{ key, message, hint }]
  }
  if (url.protocol === 'https:' || LOOPBACK.has(url.hostname)) return []
  const message = 'plain http to another host, where anybody on the way can replace the keys'
  return [{ key, message, hint: 'Use https, or http for localhost, 127.0.0.1 and [::1] only.' }]
}
