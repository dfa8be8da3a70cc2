import type { SettingRefusal } from '../../../core/kernel/settings/resolve.ts'

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

const PLAIN = 'plain http to another host, where anybody on the way can replace the keys'
const NO_URL = 'not an absolute http(s) URL without user name and password'

/**
 * Why no keys may be read from a URL; undefined if they may. Plain http is refused except for this machine, because
 * keys could be replaced in transit.
 */
export function urlProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (url === undefined || !isHttp || url.username !== '' || url.password !== '') return NO_URL
  return url.protocol === 'https:' || LOOPBACK.has(url.hostname) ? undefined : PLAIN
}

/** The address of the discovery document of an issuer (OpenID Connect Discovery 1.0, section 4). */
export function discoveryUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
}

/** Validates the URL of a JWKS. */
export function refuseJwksUrl(text: string): readonly SettingRefusal[] {
  return refuse(
    'security.jwks_url',
    urlProblem(text),
    'Set it to the jwks_uri of the issuer, such as https://issuer.example/jwks.json.',
  )
}

/**
 * Validates an issuer: a URL without query and fragment, with which no other source of keys and no other issuer is set.
 */
export function refuseIssuer(issuer: string, jwksUrl: string | null, jwtIssuer: unknown): readonly SettingRefusal[] {
  const key = 'security.oidc_issuer'
  const problem =
    urlProblem(issuer) ?? (/[?#]/.test(issuer) ? 'a URL with a query or a fragment, which no issuer has' : undefined)
  const hint = `Set it to the issuer as its tokens name it, so that ${discoveryUrl('<issuer>')} is its discovery document.`
  const refusals = [...refuse(key, problem, hint)]
  if (jwksUrl !== null) {
    const message = 'set beside security.jwks_url, and only one of them can say where the keys are'
    refusals.push({ key, message, hint: 'Remove {security.jwks_url}; the issuer says where its keys are.' })
  }
  if (typeof jwtIssuer === 'string' && jwtIssuer !== issuer) {
    const message = 'another issuer than security.jwt_issuer, and tokens have one'
    refusals.push({
      key,
      message,
      hint: 'Remove {security.jwt_issuer}; the iss of tokens is checked against the issuer.',
    })
  }
  return refusals
}

function refuse(key: string, message: string | undefined, hint: string): readonly SettingRefusal[] {
  if (message === undefined) return []
  const secure = 'Use https, or http for localhost, 127.0.0.1 and [::1] only.'
  return [{ key, message, hint: message === PLAIN ? secure : hint }]
}
