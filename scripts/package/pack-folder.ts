/** Packs a folder into a tarball that says nothing about its builder. */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { gzipSync } from 'node:zlib'

/** The time of all files: that of npm's own tarballs, 1985-10-26T08:15:00Z, in Unix seconds. */
const PACKED_AT_S = 499_162_500

/**
 * Writes the tarball of a folder. It has no user name, no time of the builder, and neither the order nor the modes that the builder's file
 * system and umask gave. (Other tars than that of GNU keep the times; releases are packed with GNU tar.)
 */
export function packFolder(folder: string, target: string): void {
  const home = dirname(folder)
  const neutral = isGnuTar()
    ? ['--numeric-owner', '--owner=0', '--group=0', `--mtime=@${PACKED_AT_S}`, '--sort=name', '--mode=u+rw,go+rX,go-w']
    : ['--uid', '0', '--gid', '0', '--uname', '', '--gname', '']
  execFileSync('tar', [...neutral, '-cf', `${target}.tar`, '-C', home, basename(folder)])
  writeFileSync(target, gzipSync(readFileSync(`${target}.tar`), { level: 6 }))
  rmSync(`${target}.tar`)
}

function isGnuTar(): boolean {
  return execFileSync('tar', ['--version'], { encoding: 'utf8' }).includes('GNU tar')
}
