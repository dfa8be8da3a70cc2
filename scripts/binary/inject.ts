/** Puts a blob into a copy of Node. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The marker in every Node binary that says whether a blob is there. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/**
 * Changes an executable in place. It runs in a process of its own, whose warnings about sections it does not know are
 * shown only when it fails. `platform` is that of the executable.
 */
export function inject(executable: string, blob: string, platform: string): void {
  const cli = join(fileURLToPath(import.meta.resolve('postject')), '../cli.js')
  const segment = platform.startsWith('darwin-') ? ['--macho-segment-name', 'NODE_SEA'] : []
  const args = [executable, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE, ...segment]
  execFileSync(process.execPath, [cli, ...args], { stdio: 'pipe' })
}
