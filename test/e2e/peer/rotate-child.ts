/**
 * The process of rotate.test.ts: `svc peer rotate` in a folder. The process kills itself at the named call of the file
 * system.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { runCommand } from '../../../plugins/cli/run-command.ts'
import { storeParts } from '../../support/store-parts.ts'

const [folder, at] = process.argv.slice(2) as [string, string]
const die = (): never => {
  process.kill(process.pid, 'SIGKILL')
  throw new Error('dead')
}
const { renameSync, rmSync } = fs
// The last step before the entry in the audit chain removes the partial file, and the first step after it renames the
// key file.
fs.rmSync = (path, options) =>
  at === 'before' &&
  /endpoint\.key\.next\..*partial/.test(String(path)) &&
  fs.existsSync(join(folder, 'state', 'endpoint.key.next'))
    ? die()
    : rmSync(path, options)
fs.renameSync = (from, to) => (at === 'after' && String(to).endsWith('endpoint.key') ? die() : renameSync(from, to))
syncBuiltinESMExports()

const { withGifts } = await import('../../support/command-gifts.ts')
const { testManifest } = await import('../../support/kernels.ts')
const { peerCommand } = await import('../../../plugins/peer/registry/commands/peer.ts')
const settings: Readonly<Record<string, unknown>> = {
  'storage.dir': join(folder, 'state'),
  'sync.socket_path': join(folder, 'run', 's.sock'),
  'peer.peers': [],
}
const io = withGifts({
  environment: {},
  config: undefined,
  manifest: testManifest,
  commands: [],
  storeParts,
  out: (line) => void process.stdout.write(`${line}\n`),
  err: () => undefined,
  setting: (key) => settings[key] ?? null,
})
process.exitCode = await runCommand(peerCommand, ['rotate'], io)
