/** The hash of an installed package, read again only when it has to be. */
import { createHash } from 'node:crypto'
import { existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { cacheDir, isCi, readJson, writeJson } from '../cache-files.ts'
import { packagesDir } from '../paths.ts'
import { counts } from './pins.ts'
import { filesIn, treeHash } from './tree-hash.ts'

interface Stamp {
  readonly stamp: string
  readonly sha256: string
}

const file = join(cacheDir, 'packages.json')
const hashes = new Map<string, string>()

/**
 * The hash of an installed package. Reading half a gigabyte takes longer than all the rest, so a package is read again only
 * when some file of it is another one, or another size, or was changed at another time: the time of a file's last change is
 * the system's own and cannot be set back by a program.
 */
export function packageHash(place: string, from: string = join(packagesDir, '..', place)): string {
  let hash = hashes.get(from)
  if (hash === undefined) hashes.set(from, (hash = read(place, from)))
  return hash
}

function read(place: string, from: string): string {
  if (!existsSync(from)) return 'not installed'
  const counted = (name: string): boolean => counts(place, name)
  if (isCi()) return treeHash(from, counted)
  const stamp = stampOf(from, counted)
  const known = readJson<Record<string, Stamp>>(file) ?? {}
  if (known[from]?.stamp === stamp) return known[from].sha256
  const sha256 = treeHash(from, counted)
  writeJson(file, { ...known, [from]: { stamp, sha256 } })
  return sha256
}

function stampOf(from: string, counted: (name: string) => boolean): string {
  const stamp = createHash('sha256')
  for (const name of filesIn(from, '').filter(counted).sort()) {
    const { ino, size, mtimeNs, ctimeNs } = lstatSync(join(from, name), { bigint: true })
    stamp.update(`${name} ${ino} ${size} ${mtimeNs} ${ctimeNs}\n`)
  }
  return stamp.digest('hex')
}
