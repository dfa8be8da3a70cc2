import { documented } from '../../../core/declare/described.ts'
import type { Secret } from '../../../core/declare/secret.ts'
import {
  flag,
  integer,
  list,
  reloadable,
  type Setting,
  secret,
  secretList,
  text,
} from '../../../core/declare/settings.ts'

/** The settings of feature `auth.jwt` and of its command. */
export const jwtSettings: {
  readonly 'security.jwt_secret': Setting<Secret | null>
  readonly 'security.jwt_secret_previous': Setting<readonly Secret[]>
  readonly 'security.jwt_issuer': Setting<string | null>
  readonly 'security.jwt_audience': Setting<string | null>
  readonly 'security.jwt_validate_nbf': Setting<boolean>
  readonly 'security.jwt_leeway_seconds': Setting<number>
  readonly 'security.tenant_claims': Setting<readonly string[]>
} = {
  'security.jwt_secret': reloadable(
    secret({ summary: documented('Shared secret of HS256 tokens, at least 32 bytes.') }),
    'contents',
  ),
  'security.jwt_secret_previous': reloadable(
    secretList({
      max: 4,
      summary: documented('Further secrets whose tokens count, for the time of a rotation; they sign nothing.'),
    }),
  ),
  'security.jwt_issuer': text<string | null>({
    default: null,
    summary: documented('The value that the iss claim of a token must have; absent, it is not looked at.'),
  }),
  'security.jwt_audience': text<string | null>({
    default: null,
    summary: documented('The value that must be in the aud claim of a token; absent, it is not looked at.'),
  }),
  'security.jwt_validate_nbf': flag({
    default: true,
    summary: documented('Whether the nbf claim is checked where it is present.'),
  }),
  'security.jwt_leeway_seconds': integer({
    default: 0,
    max: 60,
    unit: 's',
    summary: documented('How far the clocks of issuer and service may be apart.'),
  }),
  'security.tenant_claims': list({
    default: ['tenant_id', 'org_id', 'tid'],
    summary: documented(
      'Claims that may carry the tenant; the first present one decides, and without one it is "default".',
    ),
  }),
}
