/**
 * The process that crash.test.ts kills: an engine on a store file. Each line on stdin is a push body in base64. Each
 * acknowledged push is written to stdout as `<pushId> <status>`. Its project counts the executed pushes.
 */
import { createInterface } from 'node:readline'
import { createNativeEd25519 } from '../../../plugins/sync/api/native-crypto.ts'
import type { DomainFamily, PeerTransport } from '../../../plugins/sync/api.ts'
import { onTimers } from '../../../plugins/sync/engine/delivery/automation.ts'
import { createStoredAuthority } from '../../../plugins/sync/engine/devices/devices.ts'
import { createDomains } from '../../../plugins/sync/engine/devices/domains.ts'
import { createSyncEngine } from '../../../plugins/sync/engine/engine.ts'
import { defaultLimits, type EngineTimers } from '../../../plugins/sync/engine/options.ts'
import { createFileStore } from '../../../plugins/sync/store-sqlite/file-store.ts'
import { nativeSha256 } from '../../../plugins/sync/store-sqlite/native-sha256.ts'
import { storeParts } from '../../support/store-parts.ts'

const store = createFileStore({ path: process.argv[2]!, now: Date.now, parts: storeParts })
const counting: DomainFamily = {
  name: 'kbd-control',
  takesFrontier: true,
  exists: () => true,
  prepare: (envelope) => envelope,
  application: {
    kind: 'stored',
    frontier: () => ({ heads: [] }),
    apply(state, project) {
      state.setHeads(project, [String(Number(state.heads(project)?.[0] ?? 0) + 1)])
      return undefined
    },
  },
}
const transport: PeerTransport = {
  deliver: () => new Promise((resolve) => setTimeout(() => resolve(undefined), 2)),
}
const timers: EngineTimers = { setTimeout, clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout) }
const engine = createSyncEngine(
  {
    store,
    authority: createStoredAuthority(store),
    domains: createDomains([counting]),
    sha256: nativeSha256,
    ed25519: createNativeEd25519(),
    now: Date.now,
    limits: { ...defaultLimits, windowPastMs: 3_600_000 },
    log: { log: () => {} },
    yieldLoop: () => new Promise((resolve) => setImmediate(resolve)),
    uuid: () => '',
    transport,
  },
  onTimers(timers),
)
engine.start()
process.stdout.write('ready\n')
createInterface({ input: process.stdin }).on('line', (line) => {
  void engine.submit(Buffer.from(line, 'base64')).then(({ receipt, status }) => {
    process.stdout.write(`${receipt.pushId} ${status}\n`)
  })
})
