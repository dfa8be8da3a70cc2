/** One hash for all files of a package. */
import { createHash } from 'node:crypto'
import { closeSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'

/**
 * SHA-256 over the paths and contents of the files in `folder` that count, in the order of their paths. Packages installed
 * inside are left out; they have a hash of their own. A link makes the hash differ from that of every package, since
 * packages hold none.
 */
export function treeHash(folder: string, counts: (file: string) => boolean = () => true): string {
  const hash = createHash('sha256')
  const names = filesIn(folder, '').filter(counts)
  for (const name of names.sort()) {
    const path = join(folder, name)
    const content = lstatSync(path).isFile() ? fileHash(path) : 'no file'
    hash.update(`${name}\0${content}\n`)
  }
  return hash.digest('hex')
}

/** By pieces: the program of Node has a hundred megabytes, and memory for all of them at once takes longer than the reading. */
function fileHash(path: string): string {
  const hash = createHash('sha256')
  const file = openSync(path, 'r')
  try {
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) hash.update(piece.subarray(0, read))
  } finally {
    closeSync(file)
  }
  return hash.digest('hex')
}

const piece = Buffer.allocUnsafeSlow(256 * 1024)

/** Paths of all files in a folder, without packages installed inside it. */
export function filesIn(folder: string, inside: string): string[] {
  return readdirSync(join(folder, inside), { withFileTypes: true }).flatMap((entry) => {
    const name = inside === '' ? entry.name : `${inside}/${entry.name}`
    if (!entry.isDirectory()) return [name]
    return entry.name === 'node_modules' ? [] : filesIn(folder, name)
  })
}
