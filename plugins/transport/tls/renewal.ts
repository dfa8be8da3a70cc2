/** Loads a renewed certificate while the service runs. */
import { unwatchFile, watchFile } from 'node:fs'
import type { Logger } from '../../../core/kernel/log.ts'
import { type KeyPair, type KeyPairFiles, readKeyPair } from './key-pair.ts'

/**
 * How often the files are checked, in milliseconds. They may be replaced links, which not every system reports by
 * events.
 */
const LOOK_MS = 5_000

/** What a renewal needs. */
export interface RenewalOptions {
  readonly files: KeyPairFiles
  readonly current: KeyPair
  readonly log: Logger
  /** Uses the new pair for new connections. */
  apply(pair: KeyPair): void
}

/**
 * Reads the files again when one of them changes and on SIGHUP. A pair that cannot be used changes nothing: the old one
 * stays, and the log says why, once for each reason. Returns what ends this.
 */
export function renewKeyPair({ files, current, log, apply }: RenewalOptions): () => void {
  let activePair = current
  let reported: string | undefined
  const renew = (): void => {
    let pair: KeyPair
    try {
      pair = readKeyPair(files)
    } catch (error) {
      const { message } = error as Error
      // While a program writes both files, they do not match for a moment.
      if (message !== reported) log.warn('The TLS certificate was not renewed; the old one stays.', { error })
      reported = message
      return
    }
    reported = undefined
    // By their bytes: the certificates behind the first may change alone.
    if (pair.cert.equals(activePair.cert) && pair.key.equals(activePair.key)) return
    activePair = pair
    apply(pair)
    const { fingerprint } = pair
    log.info('The TLS certificate was renewed.', { fingerprint, valid_to: new Date(pair.validToMs).toISOString() })
  }
  const paths = [files.cert, files.key]
  for (const path of paths) watchFile(path, { interval: LOOK_MS, persistent: false }, renew)
  process.on('SIGHUP', renew)
  return () => {
    for (const path of paths) unwatchFile(path, renew)
    process.off('SIGHUP', renew)
  }
}
