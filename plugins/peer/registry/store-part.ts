/** The part of feature `peer.registry` in the store. */
import type { StorePart } from '../../../core/declare/capabilities.ts'
import type {} from '../../sync/capabilities.ts'
import { migrations } from './migrations.ts'

/** The store part of `peer.registry`. */
export const storePart: StorePart = {
  migrations,
  contents: [{ name: 'peers', table: 'peers', words: ['peer', 'peers'] }],
}
