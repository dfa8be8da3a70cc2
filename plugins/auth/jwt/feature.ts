/** The row of `auth.jwt` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

/** Feature `auth.jwt`. */
export const feature: Feature = {
  summary: 'Bearer tokens signed with a shared secret (HS256), and the command that makes them',
  stability: 'stable',
  since: '0.1.0',
  requires: ['auth.guard'],
  platform: 'web',
  plugin: 'plugins/auth/jwt/plugin.ts',
  commands: 'plugins/auth/jwt/commands.ts',
  contract,
}
