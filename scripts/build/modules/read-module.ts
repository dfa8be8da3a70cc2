/** Reads the exports of modules. Modules of users are imported in a separate process. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { loaderArgs, root } from '../paths.ts'

/** The exports of a module, by name. */
export type Exports = Readonly<Record<string, unknown>>

/** Reads the exports of a module; the file is named by an absolute path. */
export type ReadModule = (file: string) => Promise<Exports>

/** A position in a module, as in Node's stack traces. */
export interface ModulePlace {
  /** A `file:` URL, or an absolute path. */
  readonly url: string
  readonly line: number
  readonly column: number | undefined
}

/** An import that could not be followed. */
export interface FailedImport {
  readonly specifier: string
  /** URL of the module with the import. */
  readonly from: string
}

/** What is known of an error besides its message. */
export interface LoadErrorParts {
  readonly place?: ModulePlace | undefined
  readonly failed?: FailedImport | undefined
  /** The files that were loaded before, the failing one included. */
  readonly files?: readonly string[]
}

/** An error that a module threw while another process loaded it. */
export class LoadError extends Error {
  override readonly name = 'LoadError'
  readonly parts: LoadErrorParts

  constructor(message: string, parts: LoadErrorParts = {}) {
    super(message)
    this.parts = parts
  }
}

/** Longest time in milliseconds for loading a user's module. The limit is high because the machine can be busy. */
const LOAD_LIMIT_MS = 60_000

/**
 * The message of the child process: the exports as data, in which a {@link FUNCTION_MARK} string replaces each
 * function, and the files that were loaded.
 */
export type Answer =
  | { readonly exports: Exports; readonly files: readonly string[] }
  | ({ readonly error: string } & LoadErrorParts)

/** Prefix of the string that replaces a function in the message of the child process. */
export const FUNCTION_MARK = 'a function of a module that was read as data: '

const modulesOfUsers = new Map<string, Promise<Exports>>()

/** The files that were loaded to read users' modules, by absolute path. */
export const filesOfUsers: Set<string> = new Set()

/**
 * Reads the exports of a module. A module of this project is imported directly. Any other module is third-party code:
 * it is imported in a child process that cannot write files, cannot start processes, and has an empty environment, so
 * that planning a profile does not run third-party code with the user's rights. The result is data; a function in the
 * result has its source text but cannot be called.
 */
export const readModule: ReadModule = (file) => {
  if (ours.some((folder) => file.startsWith(folder))) return importModule(file)
  let exports = modulesOfUsers.get(file)
  if (exports === undefined) modulesOfUsers.set(file, (exports = readInChild(file)))
  return exports
}

/** Clears the cache of users' modules, so that the next read returns their current exports. */
export function forgetModules(): void {
  modulesOfUsers.clear()
  filesOfUsers.clear()
}

/** Imports a module into this process, even a user's module. */
export const importModule: ReadModule = async (file) => (await import(pathToFileURL(file).href)) as Exports

const ours = ['core/', 'plugins/', 'profiles/'].map((folder) => join(root, folder))

/** The processes that load a module now. */
const running = new Set<ChildProcess>()

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

function readInChild(file: string): Promise<Exports> {
  const defines = Object.keys(globalThis).filter((name) => /^__[A-Z0-9_]+__$/.test(name))
  const child = fork(fileURLToPath(new URL('./read-module-child.ts', import.meta.url)), [file, ...defines], {
    execArgv: [...loaderArgs, '--permission', '--allow-fs-read=*', '--disable-warning=ExperimentalWarning'],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  running.add(child)
  return new Promise((done, failed) => {
    const limit = setTimeout(
      () => stop(new LoadError(`it was not loaded within ${LOAD_LIMIT_MS / 1000} seconds`)),
      LOAD_LIMIT_MS,
    )
    const stop = (result: Exports | Error): void => {
      clearTimeout(limit)
      child.kill('SIGKILL')
      if (result instanceof Error) failed(result)
      else done(result)
    }
    child.once('message', (answer: Answer) => {
      if ('error' in answer) return stop(new LoadError(answer.error, answer))
      for (const loaded of answer.files) filesOfUsers.add(loaded)
      stop(revive(answer.exports))
    })
    child.once('error', stop)
    // The `exit` event is too early: it can precede the last message.
    child.once('close', (code, signal) => {
      running.delete(child)
      stop(new LoadError(`it ended the process that loaded it (${signal ?? `exit code ${code}`})`))
    })
  })
}

/** Replaces each marked string by a function that has the source text and throws when it is called. */
function revive<T>(value: T): T {
  if (typeof value === 'string' && value.startsWith(FUNCTION_MARK)) {
    return functionOf(value.slice(FUNCTION_MARK.length)) as T
  }
  if (Array.isArray(value)) return value.map((one: unknown) => revive(one)) as T
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, revive(one)])) as T
}

/** A function whose `toString()` returns `text`, because literal imports are read from the source text of functions. */
function functionOf(text: string): () => never {
  const stub = (): never => {
    throw new TypeError('A function of a module that was only read cannot be called.')
  }
  return Object.assign(stub, { toString: () => text })
}
