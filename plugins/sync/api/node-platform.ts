/** The parts of the local sync API that Node supplies. */
import { setImmediate } from 'node:timers/promises'
import type { EndpointKey } from '../api.ts'
import type { SyncPlatform } from '../capabilities.ts'
import { checkEndpointKey, openEndpointKey } from './endpoint-key.ts'
import { createNativeEd25519 } from './native-crypto.ts'
import { settleRotation } from './rotation.ts'

/** Creates the platform of a node whose key is in a folder. */
export function createNodePlatform(dir: string): SyncPlatform {
  let key: EndpointKey | undefined
  return {
    ed25519: createNativeEd25519(),
    ownKey: () => (key ??= openEndpointKey(dir)),
    yieldLoop: () => setImmediate(),
    async start(store) {
      await settleRotation(dir, store)
      checkEndpointKey(dir)
    },
  }
}
