/** Writes the declaration file of each entry point, and files with the types that they share. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build } from 'tsup'
import { generate } from '../build/generate/generate.ts'
import { root } from '../build/paths.ts'
import { matrixFeatures } from '../build/plan/locate-feature.ts'
import { plan } from '../build/plan/plan.ts'
import { type Entry, entries, typesEntries } from './entries.ts'

/**
 * Writes `<name>.d.ts` for every entry into `folder`.
 *
 * Plugins augment the interface `Capabilities` by the name of its module. Bundling would give that module a generated
 * name, so it keeps a separate file, `capabilities.d.ts`. All augmentations name this file; those of users refer to it
 * through `svc/plugin`.
 */
export async function writeDeclarations(folder: string): Promise<void> {
  const work = join(root, '.build/npm')
  mkdirSync(work, { recursive: true })
  const sources: Record<string, string> = {}
  // Two entries with the same name have the same types.
  const named = new Map(entries.map((entry) => [entry.name, entry]))
  for (const entry of named.values()) {
    if (entry.source !== undefined) {
      sources[entry.name] = join(root, entry.source)
      if (entry.name !== 'plugin') continue
      // A plugin can use any capability, so this entry imports the augmentations of all plugins.
      const modules = Object.values(matrixFeatures).flatMap(({ plugin }) =>
        typeof plugin === 'object' ? Object.values(plugin) : (plugin ?? []),
      )
      sources[additions(entry)] = join(work, `${additions(entry)}.ts`)
      writeFileSync(sources[additions(entry)]!, importsOfCapabilities(modules, work))
      continue
    }
    const planned = await plan(entry.profile!)
    const { folder: generated } = generate(planned).find(({ target }) => target.form === 'library')!
    sources[entry.name] = join(generated, 'types.ts')
    sources[additions(entry)] = join(work, `${additions(entry)}.ts`)
    const library = planned.targets.find(({ form }) => form === 'library')!
    const modules = library.features.flatMap(({ module }) => module ?? [])
    writeFileSync(sources[additions(entry)]!, importsOfCapabilities(modules, work))
  }
  for (const { name, module } of typesEntries) {
    if (module === undefined) writeFileSync(join(work, `${name}.ts`), typesOfAll)
    sources[name] = module ?? join(work, `${name}.ts`)
  }
  await build({
    config: false,
    silent: true,
    clean: false,
    entry: sources,
    format: ['esm'],
    external: [CAPABILITIES],
    tsconfig: join(root, 'tsconfig.json'),
    // tsup sets `baseUrl`, which TypeScript 6 only accepts with this option.
    dts: { only: true, compilerOptions: { ignoreDeprecations: '6.0' } },
    outDir: folder,
  })
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.d.ts'))) {
    const path = join(folder, file)
    writeFileSync(path, withOwnModule(readFileSync(path, 'utf8')))
  }
  writeFileSync(join(folder, 'capabilities.d.ts'), capabilities())
  // An entry that shares the types of another entry has a separate file, for resolvers that look for a declaration file
  // at its path.
  const elsewhere = entries.filter(({ form }) => form !== undefined)
  for (const { name, subpath } of [...elsewhere, ...typesEntries]) {
    mkdirSync(dirname(join(folder, subpath)), { recursive: true })
    writeFileSync(join(folder, `${subpath}.d.ts`), `export * from '../${name}.js'\n`)
  }
  for (const entry of named.values()) {
    if (sources[additions(entry)] === undefined) continue
    const path = join(folder, `${entry.name}.d.ts`)
    writeFileSync(path, `import './${additions(entry)}.js';\n${readFileSync(path, 'utf8')}`)
  }
}

/** Paths are relative to `.build/npm`, where this file is written. */
const typesOfAll = `export type { BuildInfo } from '../../core/manifest.ts'
export type * from '../../core/profile-types.ts'
`

const CAPABILITIES = /core\/capabilities\.ts$|^\.\/capabilities\.ts$/

function additions({ name }: Entry): string {
  return `${name}-capabilities`
}

/** The imports of the files in which plugins augment the capabilities, given the modules of the plugins. */
function importsOfCapabilities(modules: readonly string[], folder: string): string {
  const found = new Set<string>()
  for (const module of modules) {
    for (const at of [dirname(module), dirname(dirname(module))]) {
      const file = join(at, 'capabilities.ts')
      if (existsSync(file)) found.add(file)
    }
  }
  // Importing one type of each file is enough, because it also imports the augmentations of that file.
  const lines = [...found].sort().map((file, index) => {
    const [, name] = /^export (?:type \{ |interface |type |class )(\w+)/m.exec(readFileSync(file, 'utf8')) ?? []
    if (name === undefined)
      throw new TypeError(`${file} exports no type, so the package cannot import its augmentations`)
    return `export type { ${name} as Given${index} } from '${relative(folder, file).replaceAll('\\', '/')}'`
  })
  return [...lines, 'export {}', ''].join('\n')
}

function withOwnModule(text: string): string {
  return text
    .replace(/^declare module '[^']*core\/(?:plugin|capabilities)\.ts'/gm, "declare module './capabilities.js'")
    .replace(/(from|import) '[^']*\/capabilities\.ts'/g, "$1 './capabilities.js'")
}

/** The interface `Capabilities`, from its source. Its imports come from the plugin entry. */
function capabilities(): string {
  const source = readFileSync(join(root, 'core/capabilities.ts'), 'utf8')
  return source.replaceAll(/from '\.\/[a-z-]+\.ts'/g, "from './plugin.js'")
}
