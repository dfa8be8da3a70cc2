/** SIGHUP: reads the settings again while the service runs. */
import { closeSync, openSync } from 'node:fs'
import { isSvcError } from '../../core/declare/errors.ts'
import type { Kernel } from '../../core/kernel/kernel.ts'
import type { SettingsSources } from '../../core/kernel/settings/resolve.ts'

/** The parts of a reload. */
export interface ReloadOptions {
  readonly kernel: Pick<Kernel, 'state' | 'log' | 'reload'>
  /** Reads the file and the environment. Throws the errors that make a start fail. */
  readonly readSources: () => SettingsSources
  /** Stops the service. Called if its terminal was closed. */
  readonly stop: () => void
}

/**
 * Reads the settings again at each SIGHUP. Invalid settings change nothing. A SIGHUP that reports a closed terminal
 * stops the service. Returns a function that reads the settings again if a SIGHUP came before the service was ready.
 */
export function reloadOnHangup({ kernel, readSources, stop }: ReloadOptions): () => void {
  const hasTerminal = process.stdout.isTTY || process.stderr.isTTY
  let missed = false
  let isHungUp = false
  const reloadIfReady = (): void => {
    missed = kernel.state === 'new' || kernel.state === 'starting'
    if (kernel.state === 'ready') reload(kernel, readSources)
  }
  process.on('SIGHUP', () => {
    if (!hasTerminal || isTerminalOpen()) return reloadIfReady()
    // The shell and the operating system may both send a SIGHUP, and a second stop would end the process at once.
    if (!isHungUp) stop()
    isHungUp = true
  })
  return () => {
    if (missed) reloadIfReady()
  }
}

function reload(kernel: ReloadOptions['kernel'], readSources: ReloadOptions['readSources']): void {
  const { log } = kernel
  try {
    const { changed, restart } = kernel.reload!(readSources())
    if (restart.length > 0) log.warn('The settings were read again; some need a restart.', { changed, restart })
    else if (changed.length > 0) log.info('The settings were read again.', { changed })
    else log.info('The settings were read again; none has changed.')
  } catch (error) {
    const why = isSvcError(error) ? { reason: error.message } : { error }
    log.error('The settings were not read again; all keep their values.', why)
  }
}

/** Whether the controlling terminal is still open. Windows has none, and sends SIGHUP only if a console was closed. */
function isTerminalOpen(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
