/** Injects a blob into a copy of Node. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The marker in every Node binary that records whether a blob is present. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/**
 * Changes an executable in place. postject runs in a separate process, because its warnings about unknown sections are
 * only useful on failure. `platform` is the platform of the executable.
 */
export function inject(executable: string, blob: string, platform: string): void {
  const cli = join(fileURLToPath(import.meta.resolve('postject')), '../cli.js')
  const segment = platform.startsWith('darwin-') ? ['--macho-segment-name', 'NODE_SEA'] : []
  const args = [executable, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE, ...segment]
  execFileSync(process.execPath, [cli, ...args], { stdio: 'pipe' })
}
