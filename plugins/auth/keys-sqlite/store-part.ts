/** What API keys keep in the store. */
import type { StorePart } from '../../../core/capabilities.ts'
import type {} from '../../sync/capabilities.ts'
import { migrations } from './migrations.ts'
import { checkKeys } from './statements.ts'

/** The store part of `auth.keys-sqlite`. */
export const storePart: StorePart = {
  migrations,
  contents: [{ name: 'keys', table: 'api_keys', words: ['API key', 'API keys'] }],
  check: checkKeys,
}
