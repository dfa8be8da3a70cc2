/** Whether uWebSockets.js serves the runtime surface. */
import { documented } from '../../../core/declare/described.ts'
import type { Logger } from '../../../core/kernel/log.ts'
import { transportFail } from '../errors.ts'
import { listenSettings } from '../settings.ts'
import type { Uws } from './addon.ts'
import { isKnownRight } from './find-addon.ts'
import { findAddon, loadAddon } from './load-addon.ts'

/** What the choice depends on. */
export interface ChoiceSettings {
  readonly 'server.transport': 'auto' | 'uws' | 'node'
  readonly 'server.uws_addon': string
  readonly 'server.uws_behind_proxy': boolean
  readonly 'server.trusted_proxies': readonly string[]
  readonly 'server.max_header_bytes': number
  readonly 'server.header_timeout_ms': number
  readonly 'server.idle_timeout_ms': number
}

/** The addon that serves, and where it is from. */
export interface ChosenAddon {
  readonly uws: Uws
  /** Name and version of its package, as far as they are known. */
  readonly version: string | null
}

/** Time limits that are constants of the library. */
const fixed = ['server.header_timeout_ms', 'server.idle_timeout_ms'] as const

/**
 * Loads the addon that serves; undefined if node:http does. `auto` takes an addon only of a version that is known to be
 * right, and never fails: a line of the log says why node:http serves, as a warning if the settings name an addon.
 * @throws SvcError `ERR_UWS_UNAVAILABLE` if `server.transport` is `uws` and the addon cannot be had
 */
export async function chooseAddon(settings: ChoiceSettings, log: Logger): Promise<ChosenAddon | undefined> {
  const transport = settings['server.transport']
  if (transport === 'node') return undefined
  if (transport === 'uws') return loadSelected(settings)
  try {
    return await loadSelected(settings, ({ version }) => {
      if (settings['server.trusted_proxies'].length > 0 && !settings['server.uws_behind_proxy'])
        return 'server.trusted_proxies is set, and server.uws_behind_proxy is not.'
      return isKnownRight(version) ? undefined : `its version is ${version ?? 'unknown'}.`
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const level = settings['server.uws_addon'] === '' ? 'debug' : 'warn'
    log[level]('uWebSockets.js is not taken by server.transport=auto; node:http serves.', {
      reason,
      hint: documented('docs/transports.md names the versions that are taken.'),
    })
    return undefined
  }
}

/**
 * Loads the addon that the settings name, unless `refuse` gives a reason against it.
 * @throws SvcError `ERR_UWS_UNAVAILABLE`
 */
export async function loadSelected(
  settings: ChoiceSettings,
  refuse: (addon: { readonly version: string | null }) => string | undefined = () => undefined,
): Promise<ChosenAddon> {
  const unable = fixed.find((key) => settings[key] !== listenSettings[key].default)
  if (unable !== undefined) {
    const { default: value, unit } = listenSettings[unable]
    throw transportFail('ERR_UWS_UNAVAILABLE', {
      message: `uWebSockets.js has ${unable} fixed at ${value} ${unit}.`,
      hint: `Leave ${unable} at its default, or set server.transport to node.`,
    })
  }
  const addon = findAddon(settings['server.uws_addon'])
  const refusal = refuse(addon)
  if (refusal !== undefined)
    throw transportFail('ERR_UWS_UNAVAILABLE', { message: `uWebSockets.js is not taken unasked: ${refusal}` })
  const uws = await loadAddon(addon, settings['server.max_header_bytes'])
  return { uws, version: addon.version }
}
