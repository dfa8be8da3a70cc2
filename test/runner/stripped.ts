/**
 * Removes the types from the sources of this project and keeps the result in `.build/stripped/`, because type stripping
 * takes half of the start of a test file. A result is stored under the hash of its source, so it is never stale.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { threadId } from 'node:worker_threads'

const root = new URL('../../', import.meta.url).href
const kept = fileURLToPath(new URL('.build/stripped/', root))

/** Registers the hook for this process. Node itself loads modules outside of the project and in `node_modules`. */
export function keepStripped(): void {
  mkdirSync(kept, { recursive: true })
  registerHooks({
    load: (url, context, next) => {
      if (!isSource(url)) return next(url, context)
      return { format: 'module', source: stripped(readFileSync(fileURLToPath(url), 'utf8'), kept), shortCircuit: true }
    },
  })
}

function isSource(url: string): boolean {
  return url.startsWith(root) && url.endsWith('.ts') && !url.includes('/node_modules/') && !url.includes('/.build/')
}

/**
 * Removes the types of a text. Reads the result from `folder`, or computes it and stores it there. Positions do not change, because
 * Node replaces types with blanks.
 */
export function stripped(text: string, folder: string): string {
  const name = createHash('sha256').update(process.version).update(text).digest('hex')
  const file = join(folder, `${name}.js`)
  try {
    return readFileSync(file, 'utf8')
  } catch {
    const found = stripTypeScriptTypes(text)
    // Threads of one process strip too.
    const unfinished = `${file}.${process.pid}.${threadId}`
    writeFileSync(unfinished, found)
    renameSync(unfinished, file)
    return found
  }
}
