/**
 * Removes the types from the sources of this project and keeps the result in `.build/stripped/`, because type stripping
 * takes half of the start of a test file. A result is stored under the hash of its source, so it is never stale.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url).href
const kept = fileURLToPath(new URL('.build/stripped/', root))

/** Registers the hook for this process. Node itself loads modules outside of the project and in `node_modules`. */
export function keepStripped(): void {
  mkdirSync(kept, { recursive: true })
  registerHooks({
    load: (url, context, next) => {
      if (!isSource(url)) return next(url, context)
      return { format: 'module', source: stripped(readFileSync(fileURLToPath(url), 'utf8')), shortCircuit: true }
    },
  })
}

function isSource(url: string): boolean {
  return url.startsWith(root) && url.endsWith('.ts') && !url.includes('/node_modules/') && !url.includes('/.build/')
}

/** The text without its types. Positions do not change, because Node replaces types with blanks. */
function stripped(text: string): string {
  const name = createHash('sha256').update(process.version).update(text).digest('hex')
  const file = `${kept}${name}.js`
  try {
    return readFileSync(file, 'utf8')
  } catch {
    const found = stripTypeScriptTypes(text)
    const unfinished = `${file}.${process.pid}`
    writeFileSync(unfinished, found)
    renameSync(unfinished, file)
    return found
  }
}
