/** The paths of the state and of the socket of a service. Servers and clients use the same functions. */
import { defineErrors, type ErrorCatalogue } from '../../declare/errors.ts'
import { type Setting, text } from '../../declare/settings.ts'

/** The error for a setting that is well formed and cannot be used on this machine. A program exits with 78. */
export const settingFail: ErrorCatalogue<'ERR_SETTING_UNUSABLE'> = defineErrors<'ERR_SETTING_UNUSABLE'>({
  ERR_SETTING_UNUSABLE: { message: 'A setting cannot be used on this machine.' },
})

/** The facts that the default paths depend on. */
export interface PathContext {
  readonly environment: Readonly<Record<string, string | undefined>>
  /**
   * Returns the home folder of the user. Throws if there is none, as for a user that is not in `/etc/passwd` of a
   * container.
   */
  home(): string
}

/** The setting of the folder of durable state. All plugins that keep something there share this declaration. */
export const pathSettings: {
  readonly 'storage.dir': Setting<string | null>
} = {
  'storage.dir': text({
    default: null,
    expected: 'the path of a folder',
    summary: 'Folder of durable state, mode 0700; null for $XDG_STATE_HOME/svc or ~/.local/state/svc.',
  }),
}

/**
 * The folder of durable state. A relative XDG_STATE_HOME is ignored, as the XDG base directory specification requires.
 * @throws SvcError `ERR_SETTING_UNUSABLE` if the folder would be in the home folder, and the user has none
 */
export function storageDir(setting: string | null, context: PathContext): string {
  if (setting !== null) return setting
  const state = context.environment['XDG_STATE_HOME']
  return `${state?.startsWith('/') ? state : `${homeOf(context)}/.local/state`}/svc`
}

function homeOf(context: PathContext): string {
  try {
    return context.home()
  } catch (cause) {
    throw settingFail('ERR_SETTING_UNUSABLE', {
      message: 'storage.dir is not set, and this user has no home folder.',
      hint: 'Set storage.dir, or the variable HOME.',
      cause,
    })
  }
}

/**
 * The path of the Unix socket: the setting, or else the runtime folder of the user, or else the folder of the state.
 */
export function socketPath(setting: string | null, storage: string | null, context: PathContext): string {
  if (setting !== null) return setting
  const runtime = context.environment['XDG_RUNTIME_DIR']
  return runtime?.startsWith('/') ? `${runtime}/svc/sync.sock` : `${storageDir(storage, context)}/run/sync.sock`
}
