/** Stage 5, pack: writes what a build delivers. */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Bundle } from './bundle.ts'
import { outputName } from './generate.ts'
import { distDir, root } from './paths.ts'
import type { Plan } from './plan.ts'
import type { Proof } from './prove/prove.ts'

/** Writes `dist/<profile>/` anew and gives its path. */
export function pack(plan: Plan, bundles: readonly Bundle[], proofs: readonly Proof[]): string {
  const folder = distDir(plan.profile.name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const { target, text } of bundles) {
    writeFileSync(join(folder, outputName(target)), text)
    for (const { feature } of target.features) {
      for (const [name, source] of Object.entries(feature.assets ?? {}))
        copyFileSync(resolve(root, source), join(folder, name))
    }
  }
  const manifests = Object.fromEntries(
    bundles.map(({ target, sha256 }) => [outputName(target), { ...target.manifest, bundleSha256: sha256 }]),
  )
  writeJson(join(folder, 'manifest.json'), manifests)
  writeJson(join(folder, 'proof.json'), { profile: plan.profile.name, bundles: proofs })
  return folder
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}
