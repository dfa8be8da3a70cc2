import type { Plugin } from '../../../core/plugin.ts'
import type { HmacKey } from '../crypto/provider.ts'
import { createInPlaceHasher, IN_PLACE_PARALLEL } from './hasher-in-place.ts'
import { createKeysPlugin } from './plugin.ts'

/** API keys where there are no threads. */
export const plugin: Plugin = createKeysPlugin({
  createHasher: createInPlaceHasher,
  maxParallel: IN_PLACE_PARALLEL,
  createFingerprint: (draw, crypto) => {
    let key: HmacKey | undefined
    return (text) => (key ??= crypto().hmacKey(draw())).sign(text)
  },
})
