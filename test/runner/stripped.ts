/**
 * Gives Node the sources of this project without their types, from `.build/stripped/` where an earlier process wrote them: to
 * take the types out is half of what a test file takes to start. A text is kept under its hash, so it is never stale.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url).href
const kept = fileURLToPath(new URL('.build/stripped/', root))

/** Registers the hook for this process. Modules elsewhere, and those in `node_modules`, are loaded as Node does it. */
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

/** The text without its types. Positions stay: Node puts blanks in the place of types. */
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
