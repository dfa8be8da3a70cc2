/** The runtime surface as a WHATWG fetch handler, in process. */

import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { type FetchHandler, toFetch } from '../../../core/http/fetch.ts'
import type {} from './capabilities.ts'
import { contract } from './contract.ts'
import { notReady } from './create-runtime.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'transport.fetch': true
  }
}

/** Feature `transport.fetch`. */
export const feature: FeatureValue<'transport.fetch', never, 'Fetch'> = defineFeature({
  id: 'transport.fetch',
  about: described({
    at: import.meta.url,
    summary: 'The runtime surface as a fetch handler, in process',
    stability: 'stable',
    since: '0.1.0',
    platform: 'web',
    exports: { createRuntime: () => import('./create-runtime.ts') },
    contract,
  }),
  provides: ['Fetch'],
  setup(ctx) {
    let handler: FetchHandler | undefined
    let inFlight = 0
    let idle: (() => void) | undefined
    ctx.provide('Fetch', async (request, info) => {
      if (handler === undefined) return notReady()
      inFlight++
      try {
        return await handler(request, info)
      } finally {
        if (--inFlight === 0) idle?.()
      }
    })
    ctx.onReady(() => {
      handler = toFetch(ctx.surface('runtime'), ctx.clock.monotonic)
    })
    ctx.onDrain(() => {
      handler = undefined
      return inFlight === 0 ? undefined : new Promise((resolve) => (idle = resolve))
    })
  },
})
