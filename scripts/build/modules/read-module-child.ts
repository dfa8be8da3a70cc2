/**
 * Imports one module and sends its exports to the parent process. read-module.ts starts this script without write
 * permission.
 */
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { FeatureValue } from '../../../core/declare/feature.ts'
import { operationsOfRoutes } from '../../../core/declare/operations-of-routes.ts'
import type { RouteValue } from '../../../core/declare/route.ts'
import { root } from '../paths.ts'
import './resolve-hook.ts'
import { type Answer, type FailedImport, FUNCTION_MARK, type ModulePlace } from './read-module.ts'

/** The folders of the toolkit, as URLs. */
const ours = ['core', 'plugins', 'scripts'].map((name) => pathToFileURL(`${join(root, name)}/`).href)
const [file, ...defines] = process.argv.slice(2)
const files = new Set<string>()
/** The import of each module, and of each error that names an import. */
const imports = new Map<string, FailedImport>()
const failures = new WeakMap<Error, FailedImport>()

/** Runs a step of an import, and remembers the import of its error. */
function following<T>(one: FailedImport | undefined, step: () => T): T {
  try {
    return step()
  } catch (error) {
    if (error instanceof Error && one?.from.startsWith('file:')) failures.set(error, one)
    throw error
  }
}

registerHooks({
  resolve(specifier, context, next) {
    const one = { specifier, from: context.parentURL ?? '' }
    const resolution = following(one, () => next(specifier, context))
    imports.set(resolution.url, one)
    return resolution
  },
  load(url, context, next) {
    if (url.startsWith('file:')) files.add(fileURLToPath(url))
    const isData = !/\.[cm]?[jt]s$/.test(url)
    return following(isData ? imports.get(url) : undefined, () => next(url, context))
  },
})
for (const name of defines) Object.assign(globalThis, { [name]: true })
try {
  const exports = (await import(pathToFileURL(file!).href)) as Record<string, unknown>
  send({ exports: asData(withOperations(exports), new Set()) as Record<string, unknown>, files: [...files] })
} catch (error) {
  if (error instanceof Error)
    send({ error: error.message, place: placeOf(error), files: [...files], failed: failures.get(error) })
  else send({ error: String(error) })
}

/**
 * The first position in a stack trace that is not in the toolkit, or else the first one. For a syntax error the
 * position is before the message and has no column. Returns undefined if no line names a file.
 */
function placeOf({ stack = '' }: Error): ModulePlace | undefined {
  const head = /^((?:file:|\/)\S*?):(\d+)\n/.exec(stack)
  const frames = [...stack.matchAll(/\((file:\S+?):(\d+):(\d+)\)$|at (?:async )?(file:\S+?):(\d+):(\d+)$/gm)]
  const places = [...(head === null ? [] : [head]), ...frames].map((match): ModulePlace => {
    const [url, line, column] = match.slice(1).filter((part) => part !== undefined)
    return { url: url!, line: Number(line), column: column === undefined ? undefined : Number(column) }
  })
  return places.find(({ url }) => !ours.some((folder) => url.startsWith(folder))) ?? places[0]
}

function send(answer: Answer): void {
  process.send!(answer)
}

/**
 * The exports, with the operations of a feature in place of its routes, because functions and schemas cannot be sent.
 */
function withOperations(exports: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { feature } = exports as { readonly feature?: Partial<FeatureValue> }
  if (feature?.made === undefined) return { ...exports }
  const operations = operationsOfRoutes(feature.made)
  return { ...exports, feature: { ...feature, made: feature.made.map(withoutSchemas), operations } }
}

function withoutSchemas({ spec, shapes }: RouteValue<never>): Partial<RouteValue<never>> {
  return { spec, ...(shapes !== undefined && { shapes: {} }) }
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
