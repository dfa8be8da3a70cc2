/** The receipt store of the server: a file in the data directory. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { gauge } from '../../../core/declare/metric.ts'
import { isSvcError } from '../../../core/errors.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import { pathSettings, storageDir } from '../../../core/settings/paths.ts'
import type {} from '../../probes/capabilities.ts'
import type {} from '../capabilities.ts'
import { failStore } from '../errors.ts'
import { createFileStore, storagePath } from './file-store.ts'
import { createLogWatch } from './log-watch.ts'
import { prepareStorageFolder } from './storage-folder.ts'

/** Feature `sync.store-sqlite`. */
export const plugin: Plugin = definePlugin({
  name: 'sync.store-sqlite',
  feature: 'sync.store-sqlite',
  provides: ['ReceiptStore'],
  wants: ['Readiness'],
  settings: { 'storage.dir': pathSettings['storage.dir'] },
  metrics: {
    logBytes: gauge('svc_store_log_bytes', {
      unit: 'bytes',
      help: 'Size of the write-ahead log of the receipt store.',
    }),
  },
  errors: failStore,
  setup(ctx) {
    const dir = storageDir(ctx.settings['storage.dir'], { environment: process.env, home: homedir })
    const path = storagePath(dir)
    const store = createFileStore({ path, now: ctx.clock.monotonic, parts: ctx.storeParts })
    const measured = (bytes: number): void => ctx.metrics.logBytes.set({}, bytes)
    const watch = createLogWatch({ store, clock: ctx.clock, log: ctx.log, measured })
    ctx.provide('ReceiptStore', { ...store, isLogHeld: watch.isHeld })
    const readiness = ctx.find('Readiness')
    readiness?.add({
      name: 'store_log',
      required: false,
      run() {
        if (watch.isHeld()) throw new Error('another process holds the log of the receipt store')
      },
    })
    readiness?.add({
      name: 'persistence',
      required: true,
      async run() {
        await store.read((ledger) => void ledger.push(''))
        await store.checkWritable()
      },
    })
    ctx.onStart(() => {
      try {
        prepareStorageFolder(dir)
      } catch (error) {
        // An existing store can be read. A new one cannot be made without room.
        if (!isSvcError(error, 'receipt_store_unavailable') || !existsSync(path)) throw error
        ctx.log.error('The disk is full: the service starts read-only, and writes again once there is room.', { error })
      }
      store.serve()
      watch.start()
    })
    ctx.onStop(() => {
      watch.stop()
      return store.close()
    })
  },
})
