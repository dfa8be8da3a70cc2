/** Creates the code caches of executables, and stores them for later builds. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asksForPlace, toScript } from '../../build/generate/program-file.ts'
import { assetFiles } from '../../build/pack/asset-files.ts'
import type { TargetPlan } from '../../build/plan/target-plan.ts'
import { cacheDir, isCi, readJson, writeJson } from '../../build/record/sealed-file.ts'
import { nativeBinaries } from '../native-binaries.ts'
import { host } from '../node-runtime.ts'
import { makeCodeCache } from './code-cache.ts'

interface Entry {
  readonly key: string
  readonly base64: string
  readonly sha256: string
}

/**
 * The code cache of a program for a Node: a stored one for the same input, or a new one. Returns undefined if the
 * program needs settings that only its user has, or if its starts did not agree.
 */
export async function codeCacheFor(
  profile: string,
  target: TargetPlan,
  program: string,
  node: { readonly file: string; readonly abi: string },
): Promise<Buffer | undefined> {
  const file = join(cacheDir, `${profile}.code.json`)
  const script = toScript(program)
  const makers = ['code-cache.ts', 'warm-child.ts'].map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
  const key = sha256(JSON.stringify([script, node, process.version, process.platform, process.arch, ...makers]))
  const entry = isCi() ? undefined : readJson<Entry>(file)
  const before = entry?.key === key ? Buffer.from(entry.base64, 'base64') : undefined
  if (before !== undefined && sha256(before) === entry!.sha256) return before
  const assets = asksForPlace(program) ? assetFiles(target) : {}
  const cache = await makeCodeCache({
    node: node.file,
    script,
    binaries: nativeBinaries(target, host, node.abi),
    assets,
  })
  if (cache !== undefined && !isCi())
    writeJson(file, { key, base64: cache.toString('base64'), sha256: sha256(cache) } satisfies Entry)
  return cache
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
