/** A form, which is code that the bundler cannot follow, and the names that make code a form. */
import type { Use } from '../../../../core/declare/matrix.ts'
import { requireName } from '../../bundle/esbuild-options.ts'

/** Built-ins that load, run or start code. Importing one is a form. */
export const modules: Readonly<Record<string, Use>> = {
  module: 'require',
  vm: 'eval',
  repl: 'eval',
  inspector: 'eval',
  'inspector/promises': 'eval',
  worker_threads: 'worker',
  wasi: 'wasm',
  child_process: 'spawn',
  cluster: 'spawn',
  test: 'spawn',
}

/** The kind of form of loading a built-in; undefined for a harmless built-in. */
export function useOf(builtin: string): Use | undefined {
  const name = builtin.replace(/^node:/, '')
  return Object.hasOwn(modules, name) ? modules[name] : undefined
}

/** Members with these names are forms on any object: the object may be `module`, `process` or the global object. */
export const members: Readonly<Record<string, Use>> = {
  eval: 'eval',
  Function: 'eval',
  createRequire: 'require',
  _load: 'require',
  _compile: 'require',
  _extensions: 'require',
  _resolveFilename: 'require',
  _linkedBinding: 'process',
  dlopen: 'addon',
  mainModule: 'require',
  getBuiltinModule: 'process',
  require: 'require',
  loadExtension: 'addon',
  execve: 'spawn',
  ShadowRealm: 'eval',
  Worker: 'worker',
  serviceWorker: 'worker',
  addModule: 'worker',
  WebAssembly: 'wasm',
}

/** Globals of which any mention is a form. */
export const globals: Readonly<Record<string, Use>> = {
  eval: 'eval',
  Function: 'eval',
  ShadowRealm: 'eval',
  Worker: 'worker',
  SharedWorker: 'worker',
  importScripts: 'worker',
  WebAssembly: 'wasm',
  [requireName]: 'require',
  __dirname: 'place',
  __filename: 'place',
}

/** One form in one file. */
export interface Form {
  readonly use: Use
  /** The code, shortened. */
  readonly code: string
  /** The built-in, if the form is `process.getBuiltinModule` with a literal name. */
  readonly builtin?: string
  /**
   * The module, if the form loads it by a literal name. This is a form only if the bundler did not follow the import: a
   * name can become literal by folding, after the bundler has followed the imports, and the bundler follows no imports
   * of assets.
   */
  readonly specifier?: string
  /** Where the code begins in the text that was parsed. */
  readonly at: number
  /** The file that the code names beside its own module, as it is written, if the form is of kind `place`. */
  readonly beside?: string
  /** Whether the code compares its place with that of the program, if the form is of kind `place`. */
  readonly asksIfMain?: true
}
