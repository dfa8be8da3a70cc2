/** The runtime surface as a WHATWG fetch handler, in process. */

import type { FetchHandler } from '../../../core/http/fetch.ts'
import { toFetch } from '../../../core/http/fetch.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import type {} from './capabilities.ts'
import { notReady } from './not-ready.ts'

/** The fetch transport. */
export const plugin: Plugin = definePlugin({
  name: 'transport.fetch',
  feature: 'transport.fetch',
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
