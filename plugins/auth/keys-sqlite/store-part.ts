/** What API keys and revocations keep in the store. */
import type { StorePart } from '../../../core/capabilities.ts'
import type {} from '../../sync/capabilities.ts'
import { migrations } from './migrations.ts'
import { checkRevocations } from './revocations/statements.ts'
import { checkKeys } from './statements.ts'

/** The store part of `auth.keys-sqlite`. */
export const storePart: StorePart = {
  migrations,
  contents: [
    { name: 'keys', table: 'api_keys', words: ['API key', 'API keys'] },
    { name: 'revocations', table: 'revocations', words: ['revocation', 'revocations'] },
  ],
  check: (subject) => [...checkKeys(subject), ...checkRevocations(subject)],
}
