/** The receipt store of the server: a file in the data directory. */
import { homedir } from 'node:os'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import { pathSettings, storageDir } from '../../../core/settings/paths.ts'
import type {} from '../../probes/capabilities.ts'
import type {} from '../capabilities.ts'
import { failStore } from '../errors.ts'
import { createFileStore, storagePath } from './file-store.ts'
import { prepareStorageFolder } from './storage-folder.ts'

/** Feature `sync.store-sqlite`. */
export const plugin: Plugin = definePlugin({
  name: 'sync.store-sqlite',
  feature: 'sync.store-sqlite',
  provides: ['ReceiptStore'],
  wants: ['Readiness'],
  settings: { 'storage.dir': pathSettings['storage.dir'] },
  errors: failStore,
  setup(ctx) {
    const dir = storageDir(ctx.settings['storage.dir'], { environment: process.env, home: homedir })
    const store = createFileStore({ path: storagePath(dir), now: ctx.clock.monotonic, parts: ctx.storeParts })
    ctx.provide('ReceiptStore', store)
    ctx.find('Readiness')?.add({
      name: 'persistence',
      required: true,
      run: () => store.read((ledger) => void ledger.push('')),
    })
    ctx.onStart(() => {
      prepareStorageFolder(dir)
      return store.open()
    })
    ctx.onStop(() => store.close())
  },
})
