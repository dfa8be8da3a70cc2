import { join } from 'node:path'
import type { Command } from '../../../core/declare/command.ts'
import { runCommand } from '../../../plugins/cli/run-command.ts'
import { withGifts } from '../../support/command-gifts.ts'
import { testManifest } from '../../support/kernels.ts'
import { storeParts } from '../../support/store-parts.ts'
import type { Ran } from './desks.ts'

/** Runs a command in this process, on the node in a folder. `given` are additional settings. */
export async function runIn(
  folder: string,
  command: Command,
  args: readonly string[],
  given: Readonly<Record<string, unknown>> = {},
): Promise<Ran> {
  const settings: Readonly<Record<string, unknown>> = {
    'storage.dir': join(folder, 'state'),
    'sync.socket_path': join(folder, 'run', 's.sock'),
    'peer.peers': [],
    ...given,
  }
  const outputs = { out: '', err: '' }
  const io = withGifts({
    environment: {},
    config: undefined,
    manifest: testManifest,
    commands: [],
    storeParts,
    out: (line) => void (outputs.out += `${line}\n`),
    err: (line) => void (outputs.err += `${line}\n`),
    setting: (key) => settings[key] ?? null,
  })
  const code = await runCommand(command, args, io)
  return { code, ...outputs }
}
