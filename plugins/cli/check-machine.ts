/** Looks on this machine for what a start with valid settings would refuse. */

import type { CommandIo } from '../../core/declare/command.ts'
import type { Registry } from '../../core/declare/manifest.ts'
import type { Plugin } from '../../core/declare/plugin.ts'
import { kernelFail } from '../../core/kernel/catalogue.ts'
import { ownSettings } from '../../core/kernel/context.ts'
import { type MachineRefusal, type ResolvedSettings, toVariable } from '../../core/kernel/settings/resolve.ts'

/** Settings that a service holds alone. If one of them is held, the service with these settings is running. */
const OF_ONE_SERVICE: ReadonlySet<string> = new Set(['storage.dir', 'sync.socket_path'])

/**
 * Asks every plugin.
 * @throws SvcError `ERR_SETTINGS_INVALID` with everything that was found
 */
export async function checkMachine(
  registry: Registry<Plugin>,
  { values, sourceNames }: ResolvedSettings,
  io: CommandIo,
): Promise<void> {
  const refusals: MachineRefusal[] = []
  for (const plugin of registry.plugins)
    refusals.push(...((await plugin.checkMachine?.(ownSettings(plugin, values), registry.storeParts)) ?? []))
  const isRunning = refusals.some(({ key, inUse }) => inUse === true && OF_ONE_SERVICE.has(key))
  const problems = refusals.filter(({ inUse }) => inUse !== true || !isRunning)
  if (problems.length === 0) {
    if (isRunning) io.err('A service with these settings is running; what it holds was not checked.')
    return
  }
  const lines = problems.map(
    ({ key, message, hint }) =>
      `  ${sourceNames.get(key) ?? toVariable(key)}: ${message}${hint === undefined ? '' : `\n    → ${hint}`}`,
  )
  throw kernelFail('ERR_SETTINGS_INVALID', {
    message: `A start would fail on this machine:\n${lines.join('\n')}`,
  })
}
