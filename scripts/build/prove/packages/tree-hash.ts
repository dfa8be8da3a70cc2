/** Computes one hash for all files of a package. */
import { createHash } from 'node:crypto'
import { closeSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'

/**
 * SHA-256 over the paths and contents of the files in `folder` that `counts` accepts, sorted by path. Nested packages
 * are excluded; they have separate hashes. A symbolic link always changes the hash, because published packages contain
 * none.
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

/** Changes with every file of a folder that `counted` accepts, without those of nested packages. Reads no file. */
export function stampOf(from: string, counted: (name: string) => boolean = () => true): string {
  const stamp = createHash('sha256')
  for (const name of filesIn(from, '').filter(counted).sort()) {
    const { ino, size, mtimeNs, ctimeNs } = lstatSync(join(from, name), { bigint: true })
    stamp.update(`${name} ${ino} ${size} ${mtimeNs} ${ctimeNs}\n`)
  }
  return stamp.digest('hex')
}

/**
 * SHA-256 of a file. Reads in chunks: Node's program has a hundred megabytes, and allocating memory for the whole file
 * takes longer than reading it.
 */
export function fileHash(path: string): string {
  const hash = createHash('sha256')
  const file = openSync(path, 'r')
  try {
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) hash.update(chunk.subarray(0, read))
  } finally {
    closeSync(file)
  }
  return hash.digest('hex')
}

const chunk = Buffer.allocUnsafeSlow(256 * 1024)

/** Paths of all files in a folder, without nested packages. */
export function filesIn(folder: string, inside: string): string[] {
  return readdirSync(join(folder, inside), { withFileTypes: true }).flatMap((entry) => {
    const name = inside === '' ? entry.name : `${inside}/${entry.name}`
    if (!entry.isDirectory()) return [name]
    return entry.name === 'node_modules' ? [] : filesIn(folder, name)
  })
}
