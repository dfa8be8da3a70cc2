/**
 * Results that depend on a text alone, such as the forms in a source file, kept for the next build. The key is the hash of all that
 * the result depends on, the builder's own sources included, so a kept result is the one that would be computed.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagesDir, root } from '../paths.ts'
import { stampOf } from '../prove/packages/tree-hash.ts'
import { cacheDir, isCi, readJson, writeJson } from './sealed-file.ts'

/** Kept results of one kind. */
export interface Kept<T> {
  /** The kept result for an input, or that of `compute`, which is kept from now on. */
  resultFor(input: unknown, compute: () => Promise<T>): Promise<T>
  /** Writes the file now, and not only when the process ends. */
  save(): void
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

/** Opens `.build/cache/<name>.json`, which is read at the first use and written when the process ends. CI keeps nothing. */
export function openKept<T>(name: string): Kept<T> {
  const file = join(cacheDir, `${name}.json`)
  const used = new Map<string, T>()
  let before: Readonly<Record<string, T>> | undefined
  let isChanged = false
  const save = (): void => {
    const all = { ...before, ...Object.fromEntries(used) }
    if (isChanged) writeJson(file, Object.keys(all).length > MOST ? Object.fromEntries(used) : all)
    isChanged = false
  }
  return {
    save,
    async resultFor(input, compute) {
      if (isCi()) return compute()
      if (before === undefined) {
        before = (isReading ? readJson<Record<string, T>>(file) : undefined) ?? {}
        if (opened.size === 0) process.once('exit', saveAll)
        opened.add(save)
      }
      const key = createHash('sha256')
        .update(JSON.stringify([builder(), input]))
        .digest('hex')
      const known = used.get(key) ?? before[key]
      const result = known ?? (await compute())
      if (known === undefined) isChanged = true
      used.set(key, result)
      return result
    },
  }
}

let stamp: string | undefined

/** Changes with the sources of the builder, and with the programs that parse for it. */
function builder(): string {
  if (stamp !== undefined) return stamp
  const parsers = ['esbuild', 'typescript'].map((name) => readFileSync(join(packagesDir, name, 'package.json'), 'utf8'))
  stamp = JSON.stringify([process.version, stampOf(join(root, 'scripts/build')), parsers])
  return stamp
}
