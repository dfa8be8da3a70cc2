/** The code caches that a build delivers: whose are made, and those that were made before. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nativeBinaries } from '../binary/native-binaries.ts'
import { host } from '../binary/node-runtime.ts'
import type { Bundle } from './bundle.ts'
import { cacheDir, isCi, readJson, writeJson } from './cache-files.ts'
import { makeCodeCache } from './code-cache.ts'
import { standardProfiles } from './load-profile.ts'
import { type CodeCache, thisNode, toScript } from './program-file.ts'
import type { Plan, TargetPlan } from './target-plan.ts'

/** Features by which a program answers on TCP, where its start is watched. */
const LISTENERS = ['transport.node-http', 'transport.uws']

/**
 * The code cache of a program, made by the Node that builds. None where the program has code of a user, which a build does not run; where
 * it listens nowhere; or where it starts only with settings that its user has.
 * @throws SvcError `ERR_BUILD_FAILED` where a program of ours does not start
 */
export async function codeCacheOf(
  { profile }: Pick<Plan, 'profile'>,
  { target, text }: Pick<Bundle, 'target' | 'text'>,
): Promise<CodeCache | undefined> {
  const listens = target.features.some(({ id }) => LISTENERS.includes(id))
  if (target.form !== 'main' || !listens || Object.keys(profile.own).length > 0) return undefined
  try {
    const node = { file: process.execPath, abi: process.versions.modules }
    const cache = await codeCacheFor(profile.name, target, text, node)
    return cache && { by: thisNode, base64: cache.toString('base64') }
  } catch (error) {
    if (standardProfiles().includes(profile.name)) throw error
    return undefined
  }
}

interface Entry {
  readonly key: string
  readonly base64: string
  readonly sha256: string
}

/** The code cache of a program for a Node: what was made of the same before, or a new one. */
export async function codeCacheFor(
  profile: string,
  target: TargetPlan,
  program: string,
  node: { readonly file: string; readonly abi: string },
): Promise<Buffer | undefined> {
  const kept = join(cacheDir, `${profile}.code.json`)
  const script = toScript(program)
  const makers = ['code-cache.ts', 'warm-child.ts'].map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
  const key = sha256(JSON.stringify([script, node, thisNode, ...makers]))
  const entry = isCi() ? undefined : readJson<Entry>(kept)
  const before = entry?.key === key ? Buffer.from(entry.base64, 'base64') : undefined
  if (before !== undefined && sha256(before) === entry!.sha256) return before
  const cache = await makeCodeCache({ node: node.file, script, binaries: nativeBinaries(target, host, node.abi) })
  if (cache !== undefined && !isCi())
    writeJson(kept, { key, base64: cache.toString('base64'), sha256: sha256(cache) } satisfies Entry)
  return cache
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
