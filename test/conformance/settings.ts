/** Completes the settings that a target is started with. */
import type { TargetPlan } from '../../scripts/build/plan/target-plan.ts'
import { secret } from './caller.ts'
import { engineSettings } from './engines.ts'

/**
 * Memory of one Argon2id run of a key, in KiB. Hashes at the default cost would take a third of the processor time of
 * all cases. One case of `auth.api-keys` gives the default.
 */
const HASH_KIB = 64

/**
 * Returns the settings of a case, and adds the engines, the secret and a low cost of hashes if the profile has these
 * settings.
 */
export function complete(target: TargetPlan, settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const full = { ...settings }
  for (const [key, value] of Object.entries(engineSettings))
    if (target.manifest.settings.includes(key)) full[key] ??= value
  if (target.manifest.settings.includes('security.argon2_memory_kib')) full['security.argon2_memory_kib'] ??= HASH_KIB
  const needsSecret = target.manifest.settings.includes('security.jwt_secret')
  if (needsSecret && !('security.jwt_secret' in full) && !('security.jwks_url' in full))
    full['security.jwt_secret'] = secret
  return full
}

/** Returns settings by full key as nested objects: `{ 'a.b': 1 }` becomes `{ a: { b: 1 } }`. */
export function nest(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const nested: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(settings)) {
    if (value === undefined) continue
    const parts = key.split('.')
    let at = nested
    for (const part of parts.slice(0, -1)) at = (at[part] ??= {}) as Record<string, unknown>
    at[parts.at(-1)!] = value
  }
  return nested
}
