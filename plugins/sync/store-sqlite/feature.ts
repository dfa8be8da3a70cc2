/** The receipt store of the server: a file in the data directory. */

import { existsSync, statfsSync } from 'node:fs'
import { homedir } from 'node:os'
import { described } from '../../../core/declare/described.ts'
import { isSvcError } from '../../../core/declare/errors.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { gauge } from '../../../core/declare/metric.ts'
import { type Ending, watchEndings } from '../../../core/kernel/endings.ts'
import { pathSettings, storageDir } from '../../../core/kernel/settings/paths.ts'
import type {} from '../../probes/capabilities.ts'
import type { Device } from '../api.ts'
import type {} from '../capabilities.ts'
import { failStore } from '../errors.ts'
import { contract } from './contract.ts'
import { createFileStore, storagePath } from './file-store.ts'
import { createLogWatch } from './log-watch.ts'
import { checkStoreMachine } from './machine-check.ts'
import { prepareStorageFolder } from './storage-folder.ts'
import { logPath, sizeOf } from './store-files.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'sync.store-sqlite': true
  }
}

/** Feature `sync.store-sqlite`. */
export const feature: FeatureValue<'sync.store-sqlite', never, 'NodeStore' | 'ReceiptStore'> = defineFeature({
  id: 'sync.store-sqlite',
  about: described({
    at: import.meta.url,
    summary: 'Receipts in a SQLite file, on disk before they are acknowledged',
    stability: 'stable',
    since: '0.1.0',
    requires: ['sync.engine'],
    platform: 'node',
    libraries: ['protocol'],
    contract,
  }),
  provides: ['NodeStore', 'ReceiptStore'],
  needs: { Readiness: 'optional' },
  settings: { 'storage.dir': pathSettings['storage.dir'] },
  metrics: {
    logBytes: gauge('svc_store_log_bytes', {
      unit: 'bytes',
      help: 'Size of the write-ahead log of the receipt store, at the last look. `svc_wal_bytes` is the present size.',
    }),
    storeBytes: gauge('svc_store_bytes', { unit: 'bytes', help: 'Size of sync.db.' }),
    freeBytes: gauge('svc_store_free_bytes', {
      unit: 'bytes',
      help: 'Room that the service may still use on the disk of storage.dir.',
    }),
    devicesEnding: gauge('svc_devices_ending', {
      unit: 'devices',
      help: 'Enrolled devices that end within 14 days.',
    }),
    walBytes: gauge('svc_wal_bytes', { unit: 'bytes', help: 'Size of sync.db-wal, the write-ahead log.' }),
  },
  errors: failStore,
  checkMachine: (settings, parts) => checkStoreMachine(folderOf(settings), parts),
  setup(ctx) {
    const dir = folderOf(ctx.settings)
    const path = storagePath(dir)
    const store = createFileStore({ path, now: ctx.clock.monotonic, parts: ctx.storeParts })
    const measured = (bytes: number): void => ctx.metrics.logBytes.set({}, bytes)
    const watch = createLogWatch({ store, clock: ctx.clock, log: ctx.log, measured })
    const freeBytes = (): number | undefined => {
      try {
        const { bavail, bsize } = statfsSync(dir)
        return bavail * bsize
      } catch {
        return undefined
      }
    }
    const receipts = { ...store, isLogHeld: watch.isHeld, freeBytes }
    ctx.provide('ReceiptStore', receipts)
    ctx.provide('NodeStore', receipts)
    const readiness = ctx.get('Readiness')
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
      ctx.metrics.storeBytes.sample(() => {
        const free = freeBytes()
        if (free !== undefined) ctx.metrics.freeBytes.set({}, free)
        ctx.metrics.storeBytes.set({}, sizeOf(path))
        ctx.metrics.walBytes.set({}, sizeOf(logPath(path)))
      })
    })
    let stopEndings = (): void => {}
    ctx.onReady(() => {
      stopEndings = watchEndings({
        clock: ctx.clock,
        log: ctx.log,
        gauge: ctx.metrics.devicesEnding,
        message: 'Devices end within 14 days. svc device enroll with --expires-in gives them more time.',
        find: (untilMs) => store.read((ledger) => endingDevices(ledger.devices(), ctx.clock.now(), untilMs)),
      })
    })
    ctx.onStop(() => {
      stopEndings()
      watch.stop()
      return store.close()
    })
  },
})

function endingDevices(devices: readonly Device[], nowMs: number, untilMs: number): readonly Ending[] {
  return devices.flatMap(({ keyId, status, expiresAtMs }) =>
    status === 'active' && expiresAtMs !== null && expiresAtMs > nowMs && expiresAtMs < untilMs
      ? { id: keyId, endsAtMs: expiresAtMs }
      : [],
  )
}

function folderOf(settings: { readonly 'storage.dir': string | null }): string {
  return storageDir(settings['storage.dir'], { environment: process.env, home: homedir })
}
