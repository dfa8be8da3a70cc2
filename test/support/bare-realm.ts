/** A realm with the language and the few globals that the platform `bare` may use: no timers, no console, no fetch. */
import { type Context, createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'

/** What the platform has beyond ECMAScript and WebAssembly, which a new realm has of its own. */
const given = { TextEncoder, TextDecoder, crypto: { getRandomValues: crypto.getRandomValues.bind(crypto) } }
/** What V8 puts into every realm though it is not in ECMAScript. */
const extra = ['console']

/** An empty realm of the platform, with more globals where a script needs them. */
export function createBareRealm(globals: Readonly<Record<string, unknown>> = {}): Context {
  const realm = createContext({ ...given })
  runInContext(extra.map((name) => `delete globalThis.${name}`).join(';'), realm)
  return Object.assign(realm, globals)
}

/**
 * Puts a library's bundle into a realm; gives its exports. It is the file that ships, wrapped as a script. `alias` says which
 * files stand behind the names that it imports.
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
