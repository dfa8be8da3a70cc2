/**
 * The sealed record of a whole build: what it was made from, what it delivered, and what it printed. It is read before
 * anything is planned, so that a build of unchanged sources is answered at once. CI and `--rebuild` do not read it.
 */
import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Built } from '../build.ts'
import { treeHash } from '../prove/packages/tree-hash.ts'
import { areUnchanged, type Inputs, toolkitStamp } from './inputs-now.ts'
import { cacheDir, isCi, readJson, writeJson } from './sealed-file.ts'

/** The output of a build. */
export interface Told {
  readonly folder: string
  /** The lines on stdout and on stderr. */
  readonly out: readonly string[]
  readonly notes: readonly string[]
  /** The answer to `--json`. */
  readonly json: unknown
}

/** A build of which nothing has changed since. */
export interface Unchanged extends Told {
  /** When it was made, as RFC 3339 in UTC. */
  readonly since: string
}

interface BuildRecord {
  readonly told: Told
  readonly since: string
  readonly inputs: Inputs
  /** The hash of the delivered folder. */
  readonly delivered: string
}

/** The last build of a profile, if nothing has changed since then: neither its inputs nor its delivered files. */
export function readUnchanged(profile: string): Unchanged | undefined {
  if (isCi()) return undefined
  const record = readJson<BuildRecord>(fileOf(profile))
  if (record === undefined || !existsSync(record.told.folder)) return undefined
  const same = areUnchanged(record.inputs) && record.delivered === treeHash(record.told.folder)
  return same ? { ...record.told, since: record.since } : undefined
}

/** The moment at which a build begins to read. */
export interface Begun {
  readonly atMs: number
  readonly toolkit: string
}

/** To be called before a build that may be recorded. */
export function beginBuild(): Begun {
  return { atMs: Date.now(), toolkit: toolkitStamp() }
}

/**
 * Records a build that was delivered, unless a file was edited while it ran: it is unknown which text the build read.
 */
export async function recordBuild(profile: string, begun: Begun, { plan, bundles }: Built, told: Told): Promise<void> {
  if (isCi()) return
  const { inputsOf } = await import('./inputs.ts')
  const since = new Date().toISOString().replace(/\.\d+/, '')
  const inputs = inputsOf(plan, bundles)
  // `atMs` is a whole millisecond. A source written in that same millisecond was written before the build read it.
  const isEdited = (file: string): boolean => existsSync(file) && statSync(file).mtimeMs >= begun.atMs + 1
  if (inputs.toolkit !== begun.toolkit || Object.keys(inputs.files).some(isEdited)) return
  writeJson(fileOf(profile), { told, since, inputs, delivered: treeHash(told.folder) } satisfies BuildRecord)
}

/** The record of a profile by name or by path, also for two profiles of one name in different folders. */
function fileOf(profile: string): string {
  const place = createHash('sha256').update(resolve(profile)).digest('hex').slice(0, 16)
  return join(cacheDir, `build-${basename(profile).replace(/[^\w-]/g, '_')}-${place}.json`)
}
