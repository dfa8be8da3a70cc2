/** Types of the entry points: each a declaration file, with what they share in files between them. */
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
 * Plugins add to the interface `Capabilities` by naming its module. Bundled, that module would have a generated name, so it
 * keeps a file of its own, `capabilities.d.ts`, which all additions name, and users' own through `svc/plugin`.
 */
export async function writeDeclarations(folder: string): Promise<void> {
  const work = join(root, '.build/npm')
  mkdirSync(work, { recursive: true })
  const sources: Record<string, string> = {}
  // Two entries of one name have the same types.
  const named = new Map(entries.map((entry) => [entry.name, entry]))
  for (const entry of named.values()) {
    if (entry.source !== undefined) {
      sources[entry.name] = join(root, entry.source)
      if (entry.name !== 'plugin') continue
      // A plugin may work with any capability, whatever library it will run in.
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
    // tsup sets `baseUrl`, which TypeScript 6 takes only when told so.
    dts: { only: true, compilerOptions: { ignoreDeprecations: '6.0' } },
    outDir: folder,
  })
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.d.ts'))) {
    const path = join(folder, file)
    writeFileSync(path, withOwnModule(readFileSync(path, 'utf8')))
  }
  writeFileSync(join(folder, 'capabilities.d.ts'), capabilities())
  // An entry with the types of another has a file of its own, for resolvers that look for one at its path.
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

/** From `.build/npm`, where it is written. */
const typesOfAll = `export type { BuildInfo } from '../../core/manifest.ts'
export type * from '../../core/profile-types.ts'
`

const CAPABILITIES = /core\/capabilities\.ts$|^\.\/capabilities\.ts$/

function additions({ name }: Entry): string {
  return `${name}-capabilities`
}

/** Brings in what plugins add to the capabilities, given their modules. */
function importsOfCapabilities(modules: readonly string[], folder: string): string {
  const found = new Set<string>()
  for (const module of modules) {
    for (const at of [dirname(module), dirname(dirname(module))]) {
      const file = join(at, 'capabilities.ts')
      if (existsSync(file)) found.add(file)
    }
  }
  // One type of each will do: the additions stand in the same file, and come with it.
  const lines = [...found].sort().map((file, index) => {
    const [, name] = /^export (?:type \{ |interface |type |class )(\w+)/m.exec(readFileSync(file, 'utf8')) ?? []
    if (name === undefined) throw new TypeError(`${file} exports no type, by which the package could take it in`)
    return `export type { ${name} as Given${index} } from '${relative(folder, file).replaceAll('\\', '/')}'`
  })
  return [...lines, 'export {}', ''].join('\n')
}

function withOwnModule(text: string): string {
  return text
    .replace(/^declare module '[^']*core\/(?:plugin|capabilities)\.ts'/gm, "declare module './capabilities.js'")
    .replace(/(from|import) '[^']*\/capabilities\.ts'/g, "$1 './capabilities.js'")
}

/** The interface itself, from its source; what it mentions comes from the plugin entry. */
function capabilities(): string {
  const source = readFileSync(join(root, 'core/capabilities.ts'), 'utf8')
  return source.replaceAll(/from '\.\/[a-z-]+\.ts'/g, "from './plugin.js'")
}
