/**
 * Results that depend on a text alone, such as the forms in a source file, kept for the next build. The key is the hash
 * of all that the result depends on, and the file is of one builder, so a kept result is the one that would be
 * computed. An installed toolkit also has the results for its own sources.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isInstalled, packagesDir, root } from '../paths.ts'
import { stampOf } from '../prove/packages/tree-hash.ts'
import { cacheDir, isCi, readJson, writeJson } from './sealed-file.ts'

/** Results by the hash of their input. */
export type Results<T> = Readonly<Record<string, T>>

/** Kept results of one kind. */
export interface ResultStore<T> {
  /** The kept result for an input, or that of `compute`, which is kept from now on. */
  resultFor(input: unknown, compute: () => Promise<T>): Promise<T>
  /** The results that this process has used. */
  used(): Results<T>
  /** Writes the file now, and not only when the process ends. */
  save(): void
}

interface ResultFile<T> {
  readonly builder: string
  readonly results: Results<T>
}

/** With more results than this, those that a build did not use are removed. */
const MOST = 4_096

let isReading = true

/** Whether this process computes everything again. Its results are kept for later builds in any case. */
export function computeAgain(isWanted: boolean): void {
  isReading = !isWanted
}

const opened = new Set<() => void>()

function saveAll(): void {
  for (const save of opened) save()
}

/** The file with the results for the toolkit's own sources, below the folder of the toolkit. */
export function shippedFile(name: string): string {
  return `known/${name}.json`
}

/**
 * Opens `.build/cache/<name>.json`, which is read at the first use and written when the process ends. CI keeps nothing.
 */
export function openResults<T>(name: string): ResultStore<T> {
  const file = join(cacheDir, `${name}.json`)
  const used = new Map<string, T>()
  let shipped: Results<T> = {}
  let before: Results<T> | undefined
  let isChanged = false
  const save = (): void => {
    const all = { ...before, ...Object.fromEntries(used) }
    const results = Object.keys(all).length > MOST ? Object.fromEntries(used) : all
    if (isChanged) writeJson(file, { builder: builder(), results } satisfies ResultFile<T>)
    isChanged = false
  }
  const read = (): Results<T> => {
    if (isReading) shipped = readShipped(name)
    if (isCi()) return {}
    if (opened.size === 0) process.once('exit', saveAll)
    opened.add(save)
    const content = isReading ? readJson<ResultFile<T>>(file) : undefined
    return content?.builder === builder() ? content.results : {}
  }
  return {
    save,
    used: () => Object.fromEntries(used),
    async resultFor(input, compute) {
      before ??= read()
      const key = createHash('sha256').update(JSON.stringify(input)).digest('base64url')
      const storedResult = used.get(key) ?? before[key] ?? shipped[key]
      const result = storedResult ?? (await compute())
      if (storedResult === undefined && !isCi()) isChanged = true
      used.set(key, result)
      return result
    },
  }
}

function readShipped<T>(name: string): Results<T> {
  const file = join(root, shippedFile(name))
  return isInstalled && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results<T>) : {}
}

let stamp: string | undefined

/** Changes with the sources of the builder, and with the programs that parse for it. */
function builder(): string {
  if (stamp !== undefined) return stamp
  const parsers = ['esbuild', 'typescript'].map((name) => readFileSync(join(packagesDir, name, 'package.json'), 'utf8'))
  stamp = JSON.stringify([process.version, stampOf(join(root, 'scripts/build')), parsers])
  return stamp
}
