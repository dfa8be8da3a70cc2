/** Finds misspelt members, because the compiler does not check a plugin or a profile in JavaScript. */
import type { About, FeatureDefinition, Needs } from '../../../../core/declare/feature.ts'
import type { Profile, TargetSpec } from '../../../../core/declare/matrix.ts'
import type { MetricsTable } from '../../../../core/declare/metric.ts'
import type { CapabilityName, Plugin } from '../../../../core/declare/plugin.ts'
import type { SettingsTable } from '../../../../core/declare/settings.ts'
import { nearest } from '../../../../core/kernel/nearest.ts'

type Definition = FeatureDefinition<string, SettingsTable, Needs, CapabilityName, MetricsTable, unknown, unknown>

// Records of all names, so that the compiler reports a missing name.
const ofProfile: Record<keyof Profile, 1> = {
  name: 1,
  summary: 1,
  extends: 1,
  library: 1,
  main: 1,
  own: 1,
  builtins: 1,
  licenses: 1,
  minStability: 1,
  startSettings: 1,
}
const ofTarget: Record<keyof TargetSpec, 1> = {
  platform: 1,
  features: 1,
  gzipBytes: 1,
  gzipLimit: 1,
  gzipTotal: 1,
  gzipTotalLimit: 1,
  single: 1,
}
const ofAbout: Record<keyof About<string>, 1> = {
  at: 1,
  summary: 1,
  stability: 1,
  since: 1,
  deprecated: 1,
  owner: 1,
  requires: 1,
  conflicts: 1,
  platform: 1,
  code: 1,
  commands: 1,
  storePart: 1,
  exports: 1,
  main: 1,
  owns: 1,
  libraries: 1,
  packages: 1,
  uses: 1,
  asks: 1,
  externals: 1,
  assets: 1,
  binaries: 1,
  variants: 1,
  contract: 1,
}
const ofPlugin: Record<keyof Plugin, 1> = {
  name: 1,
  feature: 1,
  version: 1,
  requires: 1,
  wants: 1,
  requiresLater: 1,
  wantsLater: 1,
  provides: 1,
  settings: 1,
  metrics: 1,
  checkSettings: 1,
  checkMachine: 1,
  routes: 1,
  errors: 1,
  setup: 1,
}
const ofDefinition: Record<keyof Definition, 1> = {
  id: 1,
  name: 1,
  version: 1,
  about: 1,
  needs: 1,
  provides: 1,
  settings: 1,
  checkSettings: 1,
  checkMachine: 1,
  metrics: 1,
  errors: 1,
  setup: 1,
  routes: 1,
  serves: 1,
}
/** The members that `defineFeature` makes of the others. */
const made: Record<string, 1> = { ...ofPlugin, made: 1, isPlugin: 1, with: 1, operations: 1 }
type Kind = 'profile' | 'target' | 'about' | 'value'
const members: Readonly<Record<Kind, object>> = {
  profile: ofProfile,
  target: ofTarget,
  about: ofAbout,
  value: ofDefinition,
}

/** Returns a message for each unknown member of `value`, with the nearest known name. */
export function unknownMembers(kind: Kind, value: object): string[] {
  const names = Object.keys(members[kind])
  const what = kind === 'value' ? 'a feature' : kind === 'about' ? '`about`' : `a ${kind}`
  return Object.keys(value)
    .filter((name) => !names.includes(name) && !(kind === 'value' && name in made))
    .map((name) => {
      const near = nearest(name, names)
      return (
        `\`${name}\` is no member of ` +
        `${what}${near === undefined ? `; there are ${names.join(', ')}` : `; did you mean \`${near}\`?`}`
      )
    })
}
