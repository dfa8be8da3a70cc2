/**
 * Stage 2, generate: writes the registry and the entry of each bundle as readable TypeScript that builds without us.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { BuildInfo, Manifest } from '../../../core/declare/manifest.ts'
import { esbuildOptions, isSplit } from '../bundle/esbuild-options.ts'
import { once } from '../once.ts'
import { buildDir, importPath, root } from '../paths.ts'
import { byFamily } from '../plan/absence-hints.ts'
import { conditionOf, defineName } from '../plan/defines.ts'
import type { Plan, TargetPlan } from '../plan/target-plan.ts'
import { syncFolder } from '../write-folder.ts'
import { libraryTypes } from './library-types.ts'

/** A generated bundle source: the files by name, and the folder they belong in. */
export interface Generated {
  readonly target: TargetPlan
  readonly folder: string
  /** The folder of the profile. */
  readonly base: string
  /** The modules of the user's features that are one value. */
  readonly ownModules: readonly string[]
  readonly files: Readonly<Record<string, string>>
}

/** Generates every target of a plan and writes it to `.build/<profile>/<form>/`. */
export function generate(plan: Plan): Generated[] {
  return plan.targets.map((target) => {
    const generated = generateTarget(plan, target)
    syncFolder(generated.folder, generated.files)
    return generated
  })
}

/** Generates one target in memory. */
export const generateTarget: (plan: Plan, target: TargetPlan) => Generated = once(textOf)

function textOf({ profile, knownFeatures }: Plan, target: TargetPlan): Generated {
  const folder = join(buildDir(profile.name), target.form)
  const head = `// Generated from profile ${profile.name} (${target.form}). It builds without the toolkit: node build.mjs\n`
  const every = '// Generated, and the same for every profile: build.mjs has the defines that choose.\n'
  const library = target.form !== 'main'
  const ownModules = Object.values(profile.ownFeatures).map(({ declaration }) => declaration)
  return {
    target,
    folder,
    base: profile.base,
    ownModules,
    files: {
      'registry.ts': every + registry(knownFeatures, folder, library ? 'BuildInfo' : 'Manifest'),
      'entry.ts': every + (library ? libraryEntry(knownFeatures, folder) : mainEntry(knownFeatures, folder)),
      'manifest.ts': head + manifest(target),
      ...(target.form === 'library' && { 'types.ts': head + libraryTypes(target, (module) => quoted(folder, module)) }),
      ...(target.openapi !== undefined && { 'openapi.json': target.openapi }),
      'build.mjs': head + standalone(target, folder, ownModules),
      ...Object.fromEntries(COPIED.map((name) => [name, readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')])),
    },
  }
}

/** What the script of a target needs beside it. */
const COPIED = ['carried.ts', 'lazy-builtins.ts', 'fold-defines.ts', 'program-file.ts', 'without-about.ts'] as const

/** Every plugin and every store part, each behind its define; the variants of a feature are next to each other. */
function registry(
  knownFeatures: Plan['knownFeatures'],
  folder: string,
  manifestType: 'BuildInfo' | 'Manifest',
): string {
  const rows = Object.entries(knownFeatures).flatMap(([id, { plugin, declaration }]) =>
    Object.entries(typeof plugin === 'object' ? plugin : { '': plugin }).flatMap(([name, module]) => {
      if (module === undefined) return []
      const variant = name === '' ? undefined : name
      return [`    ...(${conditionOf(id, variant)} ? [${pluginOf(folder, module, declaration, variant)}] : []),`]
    }),
  )
  const storeParts = Object.entries(knownFeatures).flatMap(([id, { storePart }]) =>
    storePart === undefined
      ? []
      : [`    ...(${conditionOf(id)} ? [${literalImport(folder, storePart)}.storePart] : []),`],
  )
  const lines = [
    `import type { ${manifestType}, Registry } from ${quoted(folder, 'core/declare/manifest.ts')}`,
    `import type { Plugin } from ${quoted(folder, 'core/declare/plugin.ts')}`,
    ...declarations(knownFeatures),
    '',
    '/** The plugins of this profile, and what is known of those it lacks. */',
    `export const registry: Registry<Plugin, ${manifestType}> = {`,
    '  plugins: [',
    ...rows,
    '  ],',
    '  storeParts: [',
    ...storeParts,
    '  ],',
    "  ...(await import('./manifest.ts')).about,",
    '}',
  ]
  return `${lines.join('\n')}\n`
}

/**
 * The expression of the plugin of a feature, which is declared in `declaration`; with the module of its variant, if it
 * has variants.
 */
function pluginOf(folder: string, module: string, declaration: string, variant?: string): string {
  const feature = `${literalImport(folder, declaration)}.feature`
  return variant === undefined ? feature : `${feature}.with(${literalImport(folder, module)}.variant)`
}

/**
 * The manifest of the build, and the features that it lacks with the profiles that have them. It has data only, no
 * conditions.
 */
function manifest({ form, platform, manifest, absent, open }: TargetPlan): string {
  const manifestOfForm = form === 'main' ? manifest : buildInfo(manifest, platform)
  const lacks = form === 'main' ? absent : { ...absent, settings: byFamily(absent.settings, manifest.settings) }
  const { lists, text } = namingLists(JSON.stringify(lacks))
  return (
    `${lists}export const about = { manifest: ${JSON.stringify(manifestOfForm, null, 2)} ` +
    `as const, absent: ${text}, open: ${JSON.stringify(open)} }\n`
  )
}

/** A JSON text in which each list is the name of a constant, because few lists of profiles occur many times. */
function namingLists(json: string): { lists: string; text: string } {
  const names = new Map<string, string>()
  const text = json.replace(/\[[^\]]*\]/g, (list) => {
    if (!names.has(list)) names.set(list, `profiles${names.size}`)
    return names.get(list)!
  })
  return { lists: [...names].map(([list, name]) => `const ${name} = ${list}\n`).join(''), text }
}

/** The members of the manifest that a library needs at run time. The others are only in `manifest.json`. */
function buildInfo(
  { plugins: _, routes: __, settings: ___, features, commit, ...rest }: Manifest,
  platform: TargetPlan['platform'],
): BuildInfo {
  // The commit is the last member, after the hash, because `withCommit` looks for it there. On Node it is a label of a
  // metric.
  const ofNode = platform === 'node' && commit !== undefined ? { commit } : {}
  return {
    ...rest,
    features: features.map(({ id, variant }) => ({ id, ...(variant !== undefined && { variant }) })),
    ...ofNode,
  }
}

function libraryEntry(knownFeatures: Plan['knownFeatures'], folder: string): string {
  const lines = [
    ...declarations(knownFeatures),
    '',
    "const registry = (await import('./registry.ts')).registry",
    '/** What this build contains. */',
    'export const manifest = registry.manifest',
  ]
  for (const [name, sources] of exportsOf(knownFeatures)) {
    const chosen = sources.map(([id, module]) => `${conditionOf(id)} ? ${literalImport(folder, module)}.${name} : `)
    const isThere = sources.map(([id]) => conditionOf(id)).join(' || ')
    lines.push(
      '',
      `const ${name}Of = ${chosen.join('')}undefined`,
      `export const ${name} = ${isThere} ? (...rest: any[]) => ${name}Of!(registry, ...rest) : undefined`,
    )
  }
  return `${lines.join('\n')}\n`
}

/**
 * By export name: the features that have it, with its module. Several features of one name conflict, so that a build
 * has one of them.
 */
function exportsOf(knownFeatures: Plan['knownFeatures']): Map<string, [id: string, module: string][]> {
  const sources = new Map<string, [string, string][]>()
  for (const [id, { exports = {} }] of Object.entries(knownFeatures))
    for (const [name, module] of Object.entries(exports))
      sources.set(name, [...(sources.get(name) ?? []), [id, module]])
  return sources
}

function mainEntry(knownFeatures: Plan['knownFeatures'], folder: string): string {
  const rows = Object.entries(knownFeatures)
  const commands = rows.flatMap(([id, feature]) =>
    feature.commands === undefined
      ? []
      : [`    ...(${conditionOf(id)} ? ${literalImport(folder, feature.commands)}.commands : []),`],
  )
  const mains = rows.flatMap(([id, { main }]) =>
    main === undefined
      ? []
      : [
          `if (${conditionOf(id)}) {`,
          `  void ${literalImport(folder, main)}.main(registry, [`,
          ...commands,
          '  ])',
          '}',
        ],
  )
  return `${["import { registry } from './registry.ts'", ...declarations(knownFeatures), '', ...mains].join('\n')}\n`
}

/**
 * A line of an entry that brings modules in behind the define of their feature. Their exports are used, because the
 * bundler drops what nobody uses of a module.
 */
export function conditionalImport(folder: string, id: string, modules: readonly string[]): string {
  return modules.map((module) => `if (${conditionOf(id)}) Object.keys(${literalImport(folder, module)})\n`).join('')
}

function declarations(knownFeatures: Plan['knownFeatures']): string[] {
  return Object.entries(knownFeatures).map(([id, { plugin }]) => {
    const values = typeof plugin === 'object' ? Object.keys(plugin).map((name) => `'${name}'`) : ['true']
    return `declare const ${defineName(id)}: false | ${values.join(' | ')}`
  })
}

function literalImport(folder: string, module: string): string {
  return `(await import(${quoted(folder, module)}))`
}

/**
 * A script that does what the bundle stage does, with esbuild and nothing else of this toolkit; it may move with the
 * sources.
 */
function standalone(target: TargetPlan, folder: string, ownModules: readonly string[]): string {
  const { alias = {}, ...rest } = esbuildOptions(target)
  const relativeAlias = Object.fromEntries(Object.entries(alias).map(([name, path]) => [name, from(root, path)]))
  const options = { ...rest, alias: relativeAlias }
  const where = isSplit(target) ? 'outdir: folder' : `outfile: resolve(folder, '${outputName(target)}')`
  const main = target.form === 'main'
  return `import { readFileSync${main ? ', writeFileSync' : ''} } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { foldDefines } from './fold-defines.ts'
import { jsonText } from './lazy-builtins.ts'
import { lazyBuiltins } from './lazy-builtins.ts'
import { pageText } from './carried.ts'
${main ? "import { toProgramFile } from './program-file.ts'\n" : ''}import { withoutAbout } from './without-about.ts'
import { workerText } from './carried.ts'

const folder = dirname(fileURLToPath(import.meta.url))
const sources = resolve(folder, ${quoted(folder, '.')})
const options = ${JSON.stringify(options, null, 2)}
const foldsGenerated = {
  name: 'fold-defines',
  setup(context) {
    // By path alone, as the toolkit does it for what it bundles from memory.
    context.onResolve({ filter: /^\\.\\.?\\// }, ({ path, resolveDir }) =>
      resolveDir === folder ? { path: resolve(folder, path) } : undefined,
    )
    context.onLoad({ filter: /\\b(?:registry|entry)\\.ts$/ }, async ({ path }) => {
      if (dirname(path) !== folder) return undefined
      return { contents: await foldDefines(readFileSync(path, 'utf8'), options.define), loader: 'js' }
    })
  },
}
await build({
  ...options,
  entryPoints: [resolve(folder, 'entry.ts')],
  ${where},
  // Names of chunks are hashes that include the paths of files, relative to this folder.
  absWorkingDir: sources,
  plugins: [foldsGenerated, withoutAbout(${ownModules.map((file) => `resolve(folder, ${quoted(folder, file)})`).join(', ')}), ${main ? 'lazyBuiltins(sources), jsonText(), ' : ''}workerText(), pageText()],
})
${main ? `const file = resolve(folder, '${outputName(target)}')\nwriteFileSync(file, toProgramFile(readFileSync(file, 'utf8')))\n` : ''}`
}

const outputNames = { library: 'index.mjs', single: 'single.mjs', main: 'svc.mjs' } as const

/** File name of a target in `dist/<profile>/`; of the entry where there are several files. */
export function outputName({ form }: Pick<TargetPlan, 'form'>): string {
  return outputNames[form]
}

/** The path as a text of the source: a folder may be called whatever its owner likes. */
function quoted(folder: string, module: string): string {
  const text = JSON.stringify(from(folder, module)).slice(1, -1).replaceAll('\\"', '"')
  return `'${text.replaceAll("'", "\\'")}'`
}

function from(folder: string, module: string): string {
  return importPath(folder, resolve(root, module))
}
