/** Writes the types of a library: what its profile contains, and what it lacks, with the profiles that contain it. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Setting } from '../../../core/declare/settings.ts'
import { settingsTable } from '../../../core/kernel/settings/of-plugins.ts'
import { root } from '../paths.ts'
import { type AbsentTables, routeNames } from '../plan/absence-hints.ts'
import type { TargetPlan } from '../plan/target-plan.ts'

/**
 * Where the types of a module are: the text of a module specifier, or a namespace of the same file with its exports.
 */
export type TypesAt = string | { readonly namespace: string; readonly names: readonly string[] }

/** The declarations of a library's exports. `from` says where the types of a module are; undefined if it has none. */
export function libraryTypes(target: TargetPlan, from: (module: string) => TypesAt | undefined): string {
  const exported = target.features.flatMap(({ feature }) => Object.entries(feature.exports ?? {}))
  const imports = new Set([
    `import type { BuildInfo } from ${from(MANIFEST)}`,
    `import type { Absent } from ${from(PROFILE_TYPES)}`,
  ])
  // Each plugin's module augments the type of the capabilities.
  for (const { module } of target.features) {
    const path = module === undefined ? undefined : from(module)
    if (typeof path === 'string') imports.add(`import type {} from ${path}`)
  }
  const declared: string[] = []
  for (const [name, module] of exported) {
    const path = from(module)
    if (path === undefined) {
      declared.push(`export declare const ${name}: (...rest: never[]) => unknown`)
      continue
    }
    const type = ofProfile(name, module)
    if (typeof path === 'string') {
      imports.add(`import type { ${type ?? name} as ${name}Of } from ${path}`).add(`export type * from ${path}`)
    } else {
      imports.add(`import ${name}Of = ${path.namespace}.${type ?? name}`)
      for (const other of path.names.filter((one) => one !== name))
        imports.add(`export import ${other} = ${path.namespace}.${other}`)
    }
    const rest = `(...rest: Rest<Parameters<typeof ${name}Of>>) => ReturnType<typeof ${name}Of>`
    declared.push(`export declare const ${name}: ${type === undefined ? rest : `${name}Of<Profile>`}`)
  }
  return [
    ...imports,
    '',
    ...profileType(target),
    '',
    ...(declared.some((line) => line.includes('Rest<')) ? [REST, ''] : []),
    ...declared,
    '/** What this build contains. */',
    'export declare const manifest: BuildInfo',
    '',
  ].join('\n')
}

/** The core modules that these types import from. */
export const MANIFEST = 'core/declare/manifest.ts'
export const PROFILE_TYPES = 'core/declare/profile-types.ts'

const REST = 'type Rest<A extends readonly unknown[]> = A extends readonly [unknown, ...infer R] ? R : never'

/**
 * An exported function that depends on the profile has a generic type in the same module:
 * `CreateRuntime<P extends ProfileTypes>` for `createRuntime`. Returns undefined if there is no such type.
 */
function ofProfile(name: string, module: string): string | undefined {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}`
  const text = readFileSync(resolve(root, module), 'utf8')
  return new RegExp(`^export type ${type}<\\w+ extends ProfileTypes>`, 'm').test(text) ? type : undefined
}

function profileType({ features, absent, absentRoutes, manifest }: TargetPlan): string[] {
  const plugins = features.flatMap(({ plugin }) => (plugin === undefined ? [] : [plugin]))
  // Without plugins there are no settings and no capabilities.
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
  const union = (names: readonly string[]): string =>
    [...new Set(names.map((name) => JSON.stringify(name)))].sort().join(' | ') || 'never'
  return [
    `/** What profile ${manifest.profile} has and lacks, for the compiler. */`,
    'export interface Profile {',
    `  readonly name: '${manifest.profile}'`,
    '  readonly settings: {',
    ...settingsRows(settingsTable(plugins), absent.settings, why),
    '    /** Those of plugins of the host. */',
    '    readonly [family: string]: unknown',
    '  }',
    `  readonly capabilities: ${union(plugins.flatMap(({ provides = [] }) => provides))}`,
    `  readonly routes: ${union(plugins.flatMap(routeNames))}`,
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

/** Rows of settings by family: present settings with their types, absent settings with the profiles that have them. */
function settingsRows(
  present: Readonly<Record<string, Setting<unknown>>>,
  absent: AbsentTables['settings'],
  why: (owners: readonly string[]) => string,
): string[] {
  const families = new Map<string, string[]>()
  for (const key of [...Object.keys(present), ...Object.keys(absent)].sort()) {
    const [family = '', ...rest] = key.split('.')
    const setting = present[key]
    // Undefined is allowed: a variable that is not set in the environment is undefined, and the setting then has its
    // default.
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

/** The type of the values that a caller may pass for a setting; the setting's reader validates the value. */
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
