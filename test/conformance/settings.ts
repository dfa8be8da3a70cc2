/** Completes the settings that a target is started with. */
import type { TargetPlan } from '../../scripts/build/plan/target-plan.ts'
import { secret } from './caller.ts'
import { engineSettings } from './engines.ts'

/** Returns the settings of a case, and adds the engines and the secret if the profile has these settings. */
export function complete(target: TargetPlan, settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const full = { ...settings }
  for (const [key, value] of Object.entries(engineSettings))
    if (target.manifest.settings.includes(key)) full[key] ??= value
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
