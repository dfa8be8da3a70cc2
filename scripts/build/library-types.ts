/** The types of a library: what its profile has, and what it lacks with the profiles that have it. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Setting } from '../../core/settings/kinds.ts'
import { settingsTable } from '../../core/settings/of-plugins.ts'
import { type AbsentTables, routeNames } from './absent.ts'
import { root } from './paths.ts'
import type { TargetPlan } from './target-plan.ts'

/** What the library of this profile exports, for the compiler; `from` gives a module's path as a text of the source. */
export function libraryTypes(target: TargetPlan, from: (module: string) => string): string {
  const exported = target.features.flatMap(({ feature }) => Object.entries(feature.exports ?? {}))
  const lines = [
    `import type { BuildInfo } from ${from('core/manifest.ts')}`,
    `import type { Absent } from ${from('core/profile-types.ts')}`,
    // What the plugins add to the capabilities.
    ...target.features.flatMap(({ module }) => (module === undefined ? [] : [`import type {} from ${from(module)}`])),
  ]
  for (const [name, module] of exported) {
    lines.push(`import type { ${name} as ${name}Of } from ${from(module)}`)
    lines.push(`export type * from ${from(module)}`)
  }
  lines.push('', ...profileType(target))
  lines.push('', 'type Rest<A extends readonly unknown[]> = A extends readonly [unknown, ...infer R] ? R : never', '')
  for (const [name, module] of exported) {
    const made = `typeof ${name}Of${takesProfile(name, module) ? '<Profile>' : ''}`
    lines.push(`export declare const ${name}: (...rest: Rest<Parameters<${made}>>) => ReturnType<${made}>`)
  }
  lines.push('/** What this build contains. */', 'export declare const manifest: BuildInfo')
  return `${lines.join('\n')}\n`
}

/** An exported function that depends on the profile says so by its first type parameter. */
function takesProfile(name: string, module: string): boolean {
  const text = readFileSync(resolve(root, module), 'utf8')
  return new RegExp(`\\bfunction ${name}<\\w+ extends ProfileTypes\\b`).test(text)
}

function profileType({ features, absent, absentRoutes, manifest }: TargetPlan): string[] {
  const plugins = features.flatMap(({ plugin }) => (plugin === undefined ? [] : [plugin]))
  // Without plugins nobody asks for a setting or a capability.
  if (plugins.length === 0) return []
  const why = (owners: readonly string[]): string => {
    const others = owners.filter((name) => name !== manifest.profile)
    const has = others.length === 1 ? 'has' : 'have'
    const program = others.length < owners.length ? ', its program has it' : ''
    const elsewhere =
      others.length > 0 ? `, ${others.join(', ')} ${has} it` : program === '' ? ', no profile of ours has it' : ''
    return JSON.stringify(`the library of ${manifest.profile} lacks it${program}${elsewhere}`)
  }
  const rows = (table: Readonly<Record<string, readonly string[]>>): string[] =>
    Object.entries(table)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, owners]) => `      readonly ${JSON.stringify(name)}: ${why(owners)}`)
  const routes = plugins.flatMap(routeNames).map((name) => JSON.stringify(name))
  return [
    `/** What profile ${manifest.profile} has and lacks, for the compiler. */`,
    'export interface Profile {',
    `  readonly name: '${manifest.profile}'`,
    '  readonly settings: {',
    ...settingsRows(settingsTable(plugins), absent.settings, why),
    '    /** Those of plugins of the host. */',
    '    readonly [family: string]: unknown',
    '  }',
    `  readonly routes: ${[...new Set(routes)].sort().join(' | ') || 'never'}`,
    '  readonly absent: {',
    '    readonly capabilities: {',
    ...rows(absent.capabilities),
    '    }',
    '    readonly routes: {',
    ...rows(absentRoutes),
    '    }',
    '  }',
    '}',
  ]
}

/** Settings by family: those that are there with their types, those that are not with who has them. */
function settingsRows(
  present: Readonly<Record<string, Setting<unknown>>>,
  absent: AbsentTables['settings'],
  why: (owners: readonly string[]) => string,
): string[] {
  const families = new Map<string, string[]>()
  for (const key of [...Object.keys(present), ...Object.keys(absent)].sort()) {
    const [family = '', ...rest] = key.split('.')
    const setting = present[key]
    // What is not set in an environment is undefined there, and the default here.
    const type = setting === undefined ? `Absent<${why(absent[key]!)}>` : `${typeOf(setting)} | undefined`
    const about = setting?.summary === undefined ? [] : [`      /** ${setting.summary.replaceAll('*/', '*\\/')} */`]
    families.set(family, [
      ...(families.get(family) ?? []),
      ...about,
      `      readonly ${JSON.stringify(rest.join('.'))}?: ${type}`,
    ])
  }
  return [...families].flatMap(([family, rows]) => [`    readonly ${family}?: {`, ...rows, '    }'])
}

/** The type of what a caller may give for a setting; its own reader judges the value. */
function typeOf({ default: value, expected, secret, read }: Setting<unknown>): string {
  const words = /^one of ([\w-]+(?:, [\w-]+)*)$/.exec(expected)?.[1]
  if (words !== undefined)
    return words
      .split(', ')
      .map((word) => `'${word}'`)
      .join(' | ')
  if (secret || typeof value === 'string') return 'string'
  if (typeof value === 'number' || typeof value === 'boolean') return typeof value
  if (Array.isArray(value)) return read([{}]) === undefined ? 'readonly string[]' : 'readonly unknown[]'
  if (value === null && read(0) === undefined && read({}) === undefined) return 'string'
  return 'unknown'
}
