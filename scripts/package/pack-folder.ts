/** Packs a folder into a tarball that says nothing about its builder. */
import { execFile, execFileSync } from 'node:child_process'
import { createReadStream, createWriteStream, rmSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip } from 'node:zlib'

/** The time of all files: that of npm's own tarballs, 1985-10-26T08:15:00Z, in Unix seconds. */
const PACKED_AT_S = 499_162_500

/**
 * Writes the tarball of a folder. It has no user name, no time of the builder, and neither the order nor the modes that
 * the builder's file system and umask gave. (Other tars than that of GNU keep the times; releases are packed with GNU
 * tar.)
 */
export async function packFolder(folder: string, target: string): Promise<void> {
  const home = dirname(folder)
  const neutral = isGnuTar()
    ? ['--numeric-owner', '--owner=0', '--group=0', `--mtime=@${PACKED_AT_S}`, '--sort=name', '--mode=u+rw,go+rX,go-w']
    : ['--uid', '0', '--gid', '0', '--uname', '', '--gname', '']
  await promisify(execFile)('tar', [...neutral, '-cf', `${target}.tar`, '-C', home, basename(folder)])
  // A stream, because it compresses in another thread than the one that builds meanwhile.
  await pipeline(createReadStream(`${target}.tar`), createGzip({ level: 6 }), createWriteStream(target))
  rmSync(`${target}.tar`)
}

function isGnuTar(): boolean {
  return execFileSync('tar', ['--version'], { encoding: 'utf8' }).includes('GNU tar')
}
