/** The names of modules, members and globals that load, run or start code which the bundler cannot follow. */
import type { Use } from '../../../../core/feature.ts'
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
