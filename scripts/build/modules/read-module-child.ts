/**
 * Imports one module and sends its exports to the parent process. read-module.ts starts this script without write
 * permission.
 */
import { registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import './resolve-hook.ts'
import { type Answer, FUNCTION_MARK, type ModulePlace } from './read-module.ts'

const [file, ...defines] = process.argv.slice(2)
const files = new Set<string>()
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) files.add(fileURLToPath(url))
    return next(url, context)
  },
})
for (const name of defines) Object.assign(globalThis, { [name]: true })
try {
  const exports = (await import(pathToFileURL(file!).href)) as Record<string, unknown>
  send({ exports: asData({ ...exports }, new Set()) as Record<string, unknown>, files: [...files] })
} catch (error) {
  send(
    error instanceof Error
      ? { error: error.message, place: placeOf(error) }
      : { error: String(error), place: undefined },
  )
}

/**
 * The first file position in a stack trace. For a syntax error the position is before the message and has no column.
 * Returns undefined if no line names a file.
 */
function placeOf({ stack = '' }: Error): ModulePlace | undefined {
  const found =
    /^((?:file:|\/)\S*?):(\d+)\n/.exec(stack) ??
    /\((file:\S+?):(\d+):(\d+)\)$|at (?:async )?(file:\S+?):(\d+):(\d+)$/m.exec(stack)
  if (found === null) return undefined
  const [url, line, column] = found.slice(1).filter((part) => part !== undefined)
  return { url: url!, line: Number(line), column: column === undefined ? undefined : Number(column) }
}

function send(answer: Answer): void {
  process.send!(answer)
}

/**
 * Converts a value to plain data that can be sent to the parent. A function becomes a marked string with its source; a
 * circular reference becomes undefined.
 */
function asData(value: unknown, around: ReadonlySet<unknown>): unknown {
  if (typeof value === 'function') return FUNCTION_MARK + Function.prototype.toString.call(value)
  if (typeof value === 'symbol' || around.has(value)) return undefined
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return value
  const within = new Set([...around, value])
  if (Array.isArray(value)) return value.map((one) => asData(one, within))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asData(one, within)]))
}
