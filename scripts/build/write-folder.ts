/** Makes a folder contain exactly the given files. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Makes a folder contain exactly the given files, and what `complete` adds to them. All of them are first written to a
 * folder beside it, where `complete` may also refuse them. A failure, such as a full disk, leaves the folder as it was.
 */
export function replaceFolder(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  complete: (unfinished: string) => void,
): void {
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  try {
    mkdirSync(unfinished, { recursive: true })
    for (const [name, content] of Object.entries(files)) writeFileSync(join(unfinished, name), content)
    complete(unfinished)
    // The folder itself stays, because a shell or a service may have it as its current folder.
    mkdirSync(folder, { recursive: true })
    const made = readdirSync(unfinished)
    for (const name of readdirSync(folder))
      if (!made.includes(name)) rmSync(join(folder, name), { recursive: true, force: true })
    for (const name of made) renameSync(join(unfinished, name), join(folder, name))
  } catch (error) {
    // The system does not name the file of a failed write.
    if (error instanceof Error && 'syscall' in error && !('path' in error)) Object.assign(error, { path: folder })
    throw error
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

/**
 * Writes missing and changed files, and removes all other entries. Unchanged files are only read: most builds change
 * little, and reading a file is faster than rewriting it.
 */
export function syncFolder(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  mkdirSync(folder, { recursive: true })
  const existing = new Set<string>()
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isFile() && entry.name in files) existing.add(entry.name)
    else rmSync(join(folder, entry.name), { recursive: true })
  }
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    if (!existing.has(name) || !readFileSync(path).equals(Buffer.from(content))) writeFileSync(path, content)
  }
}
