/** Reads what modules export, those of users in a process of their own. */
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { loaderArgs, root } from '../paths.ts'

/** What a module exports, by name. */
export type Exports = Readonly<Record<string, unknown>>

/** Reads the exports of a module; the file is named by an absolute path. */
export type ReadModule = (file: string) => Promise<Exports>

/** Where in a module something is, as Node names it. */
export interface ModulePlace {
  /** A `file:` URL, or an absolute path. */
  readonly url: string
  readonly line: number
  readonly column: number | undefined
}

/** What a module threw while it was loaded, as far as another process can tell. */
export class LoadError extends Error {
  override readonly name = 'LoadError'
  readonly place: ModulePlace | undefined

  constructor(message: string, place?: ModulePlace) {
    super(message)
    this.place = place
  }
}

/** Longest time in milliseconds that loading a user's module may take, on a machine that is busy with other things too. */
const LOAD_LIMIT_MS = 60_000

/** What the other process answers: data, with {@link FUNCTION_MARK} and their texts in the places of functions. */
export type Answer = { readonly exports: Exports } | { readonly error: string; readonly place: ModulePlace | undefined }

/** Stands for a function in what another process answers. */
export const FUNCTION_MARK = 'a function of a module that was read as data: '

const read = new Map<string, Promise<Exports>>()

/**
 * Reads a module. One of this project is imported. Any other was written by somebody else, and is imported by a process that
 * can neither write nor start anything, and that has nothing of this one's environment: planning a profile shall not be
 * more dangerous than looking at it. What arrives is data; a function in it has its text but cannot be called.
 */
export const readModule: ReadModule = (file) => {
  if (ours.some((folder) => file.startsWith(folder))) return importModule(file)
  let exports = read.get(file)
  if (exports === undefined) read.set(file, (exports = readApart(file)))
  return exports
}

/** Forgets what modules of users were read, so that they are read as they are now. */
export function forgetModules(): void {
  read.clear()
}

/** Imports a module into this process, whoever wrote it. */
export const importModule: ReadModule = async (file) => (await import(pathToFileURL(file).href)) as Exports

const ours = ['core/', 'plugins/', 'profiles/'].map((folder) => join(root, folder))

function readApart(file: string): Promise<Exports> {
  const defines = Object.keys(globalThis).filter((name) => /^__[A-Z0-9_]+__$/.test(name))
  const child = fork(fileURLToPath(new URL('./read-module-child.ts', import.meta.url)), [file, ...defines], {
    execArgv: [...loaderArgs, '--permission', '--allow-fs-read=*', '--disable-warning=ExperimentalWarning'],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
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
    child.once('message', (answer: Answer) =>
      stop('error' in answer ? new LoadError(answer.error, answer.place) : revive(answer.exports)),
    )
    child.once('error', stop)
    // Not `exit`, which may come before what the process said last has been read.
    child.once('close', (code, signal) =>
      stop(new LoadError(`it ended the process that loaded it (${signal ?? `exit code ${code}`})`)),
    )
  })
}

/** Puts functions back where there were some, none of which does anything. */
function revive<T>(value: T): T {
  if (typeof value === 'string' && value.startsWith(FUNCTION_MARK)) {
    return functionOf(value.slice(FUNCTION_MARK.length)) as T
  }
  if (Array.isArray(value)) return value.map((one: unknown) => revive(one)) as T
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, revive(one)])) as T
}

/** Literal imports are read by their text. */
function functionOf(text: string): () => never {
  const stand = (): never => {
    throw new TypeError('A function of a module that was only read cannot be called.')
  }
  return Object.assign(stand, { toString: () => text })
}
