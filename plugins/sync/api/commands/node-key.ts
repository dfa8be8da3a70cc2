/** The key of this node, for commands of its owner. */
import { dirname } from 'node:path'
import type { CommandIo } from '../../../../core/command.ts'
import type { NodeKey } from '../../capabilities.ts'
import { makeFolder } from '../../store-sqlite/durable-files.ts'
import { findNextKey, openEndpointKey } from '../endpoint-key.ts'
import { rotateKey, settleRotation } from '../rotation.ts'
import { ownStorePath, withStore } from './open-store.ts'

/** The key in the configured folder. Throws as `ownStorePath` and `openEndpointKey` do. */
export function createNodeKey(io: CommandIo): NodeKey {
  return {
    async own() {
      const folder = dirname(ownStorePath(io))
      makeFolder(folder)
      if (findNextKey(folder) !== undefined) await withStore(io, (store) => settleRotation(folder, store))
      return openEndpointKey(folder)
    },
    rotate: () => withStore(io, (store) => rotateKey(dirname(ownStorePath(io)), store, Date.now)),
  }
}
