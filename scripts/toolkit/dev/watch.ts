/** Watches files through their folders, because editors replace a file instead of writing into it. */
import { createHash } from 'node:crypto'
import { type FSWatcher, readFileSync, watch } from 'node:fs'
import { dirname } from 'node:path'

/** Milliseconds after the last event until a save counts as complete; an editor's save causes several events. */
const SETTLE_MS = 12

/** A watch over a set of files that may change. */
export interface FileWatch {
  set(files: readonly string[]): void
  close(): void
}

/** Calls `changed` when the content of one of the files changes. */
export function watchFiles(changed: () => void): FileWatch {
  const folders = new Map<string, FSWatcher>()
  let hashes = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined
  const look = (): void => {
    let different = false
    for (const [file, hash] of hashes) {
      const now = hashOf(file)
      // A file that is missing for a moment is being replaced.
      if (now === hash || now === undefined) continue
      hashes.set(file, now)
      different = true
    }
    if (different) changed()
  }
  const soon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(look, SETTLE_MS)
  }
  return {
    set: (files) => {
      hashes = new Map(files.map((file) => [file, hashes.get(file) ?? hashOf(file) ?? '']))
      const wanted = new Set(files.map((file) => dirname(file)))
      for (const [folder, watcher] of folders) {
        if (wanted.has(folder)) continue
        watcher.close()
        folders.delete(folder)
      }
      for (const folder of wanted) {
        if (!folders.has(folder)) folders.set(folder, watch(folder, soon).on('error', soon))
      }
    },
    close: () => {
      clearTimeout(timer)
      for (const watcher of folders.values()) watcher.close()
    },
  }
}

function hashOf(file: string): string | undefined {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('base64')
  } catch {
    return undefined
  }
}
