/**
 * sql.js, started once for all engines of the realm. It caches the result of its first start, even a failure, so that
 * it gets a module only after the module was checked.
 */
import type { SqlJsStatic } from 'sql.js'
import initSqlJs from 'sql.js/dist/sql-wasm-browser.js'
import { failHost } from '../embedded/errors.ts'

/**
 * The file sql-wasm.wasm: its bytes, or the `WebAssembly.Module` that was compiled from them. An `object`, because the
 * types of a platform may lack WebAssembly.
 */
export type SqlWasm = Uint8Array | ArrayBuffer | object

type Receive = (instance: WebAssembly.Instance, module: WebAssembly.Module) => void

let glue: { readonly imports: WebAssembly.Imports; readonly receive: Receive } | undefined
let starting: Promise<SqlJsStatic> | undefined
let received = false

/**
 * Starts sql.js. Rejects with `ERR_SQL_WASM` if `wasm` is not the module of sql.js, also if an engine runs already, and
 * if this JavaScript engine has no WebAssembly or does not permit it.
 */
export async function startSqlJs(wasm: SqlWasm): Promise<SqlJsStatic> {
  try {
    // No instanceof, because the module may come from another realm.
    const module = 'byteLength' in wasm ? await WebAssembly.compile(wasm as ArrayBuffer) : (wasm as WebAssembly.Module)
    starting ??= withConsole(() => initSqlJs({ instantiateWasm } as Parameters<typeof initSqlJs>[0]))
    if (glue === undefined) throw new TypeError('sql.js has not asked for its module')
    const { imports, receive } = glue
    if (WebAssembly.Module.imports(module).length !== Object.keys(imports['a'] ?? {}).length)
      throw new TypeError('other imports')
    if (!received) {
      const instance = await WebAssembly.instantiate(module, imports)
      if (!received) receive(instance, module)
      received = true
    }
  } catch (cause) {
    throw failHost('ERR_SQL_WASM', { ...explain(cause), cause })
  }
  return starting
}

/** Why sql.js did not start, if the file is not the reason. */
function explain(cause: unknown): { readonly message?: string; readonly hint?: string } {
  if (typeof WebAssembly === 'undefined')
    return {
      message: 'This JavaScript engine has no WebAssembly, which the store of this library needs.',
      hint: 'use the library of profile embedded-native, on a SQLite of the host',
    }
  const message = cause instanceof Error ? cause.message : String(cause)
  // The words of V8, JavaScriptCore and SpiderMonkey for a Content-Security-Policy that forbids WebAssembly.
  return /security policy|unsafe-eval|\bCSP\b|disallowed by embedder/i.test(message)
    ? { message: `This page does not permit WebAssembly: ${message}`, hint: "script-src needs 'wasm-unsafe-eval'" }
    : {}
}

function instantiateWasm(imports: WebAssembly.Imports, receive: Receive): object {
  glue = { imports, receive }
  return {}
}

/** What sql.js looks at to find out where it runs. Some hosts have getters there that throw. */
const SNIFFED = ['window', 'document', 'self', 'module', 'exports', 'define']

/**
 * Runs with a console, which sql.js binds, and without `WorkerGlobalScope`, so that sql.js does not look for its
 * address.
 */
function withConsole<T>(run: () => T): T {
  const realm = globalThis as unknown as Record<string, unknown>
  const silent = (): void => {}
  const lent: Record<string, unknown> = { WorkerGlobalScope: undefined }
  for (const name of SNIFFED) if (throws(() => realm[name])) lent[name] = undefined
  if (throws(() => realm['console']!.valueOf())) lent['console'] = { log: silent, error: silent, warn: silent }
  const before = Object.keys(lent).map((name) => [name, Object.getOwnPropertyDescriptor(realm, name)] as const)
  for (const [name, value] of Object.entries(lent))
    Object.defineProperty(realm, name, { value, configurable: true, writable: true })
  try {
    return run()
  } finally {
    for (const [name, descriptor] of before)
      if (descriptor === undefined) delete realm[name]
      else Object.defineProperty(realm, name, descriptor)
  }
}

function throws(run: () => unknown): boolean {
  try {
    run()
    return false
  } catch {
    return true
  }
}
