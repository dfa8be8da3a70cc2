/** Makes a folder contain exactly the given files. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

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
