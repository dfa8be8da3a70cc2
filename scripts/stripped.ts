/**
 * Removes the types from the sources of this project and keeps the result in `.build/stripped/`, because type stripping
 * takes half of the start of a script or a test file. A result is stored under the hash of its source, so it is never
 * stale.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { threadId } from 'node:worker_threads'

/**
 * Registers the hook for this process. `root` is the URL of the folder of this project, with a slash at the end. Node
 * itself loads modules outside of the project and in `node_modules`.
 */
export function keepStripped(root: string): void {
  const folder = fileURLToPath(new URL('.build/stripped/', root))
  registerHooks({
    resolve: (specifier, context, next) => {
      // The files of this project have no links among them: Node need not look for each, nor for the package of each
      // folder.
      const isNear = /^\.{1,2}\/.*\.ts$/.test(specifier) && isSource(context.parentURL ?? '', root)
      const url = isNear ? new URL(specifier, context.parentURL).href : undefined
      return url !== undefined && isSource(url, root)
        ? { url, format: 'module', shortCircuit: true }
        : next(specifier, context)
    },
    load: (url, context, next) => {
      if (!isSource(url, root)) return next(url, context)
      return {
        format: 'module',
        source: stripped(readFileSync(fileURLToPath(url), 'utf8'), folder),
        shortCircuit: true,
      }
    },
  })
}

function isSource(url: string, root: string): boolean {
  return url.startsWith(root) && url.endsWith('.ts') && !url.includes('/node_modules/') && !url.includes('/.build/')
}

/**
 * Removes the types of a text. Reads the result from `folder`, or computes it and stores it there. Positions do not
 * change, because Node replaces types with blanks.
 */
export function stripped(text: string, folder: string): string {
  const name = createHash('sha256').update(process.version).update(text).digest('hex')
  const file = join(folder, `${name}.js`)
  try {
    return readFileSync(file, 'utf8')
  } catch {
    const code = stripTypeScriptTypes(text)
    store(file, code)
    return code
  }
}

/** Stores a result. A process that may not write there, such as one of Node's permission model, strips again. */
function store(file: string, text: string): void {
  // Threads of one process strip too.
  const unfinished = `${file}.${process.pid}.${threadId}`
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(unfinished, text)
    renameSync(unfinished, file)
  } catch {
    // An unfinished file is never read.
  }
}
