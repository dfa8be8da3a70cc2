/**
 * A realm with only the language and the few globals that the platform `bare` may use: no timers, no console, no fetch.
 */
import { type Context, createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'

/** The globals of the platform beyond ECMAScript and WebAssembly, which every new realm has. */
const given = { TextEncoder, TextDecoder, crypto: { getRandomValues: crypto.getRandomValues.bind(crypto) } }
/** Globals that V8 adds to every realm although they are not part of ECMAScript. */
const extra = ['console']

/** Creates an empty realm of the platform, with additional `globals` for scripts that need them. */
export function createBareRealm(globals: Readonly<Record<string, unknown>> = {}): Context {
  const realm = createContext({ ...given })
  runInContext(extra.map((name) => `delete globalThis.${name}`).join(';'), realm)
  return Object.assign(realm, globals)
}

/**
 * Loads the built bundle of a library into a realm, wrapped as a script, and returns its exports. `alias` maps the
 * module names that the bundle imports to files.
 */
export async function loadInBareRealm(
  file: string,
  realm: Context = createBareRealm(),
  alias: Readonly<Record<string, string>> = {},
): Promise<Record<string, unknown>> {
  const bundle = await build({
    entryPoints: [file],
    bundle: true,
    format: 'iife',
    globalName: '__library',
    alias: { ...alias },
    write: false,
    logLevel: 'error',
  })
  runInContext(`${bundle.outputFiles[0]!.text}; globalThis.__exports = __library`, realm)
  const { __exports } = realm as { __exports?: Record<string, unknown> }
  runInContext('delete globalThis.__exports', realm)
  return __exports!
}
