/** Writes the declaration file of each entry point. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { libraryTypes } from '../build/generate/library-types.ts'
import { root } from '../build/paths.ts'
import { matrixFeatures } from '../build/plan/locate-feature.ts'
import { plan } from '../build/plan/plan.ts'
import { capabilityTypes } from './capability-types.ts'
import { type DeclarationTree, openDeclarations } from './declaration-tree.ts'
import { entries, typesEntries } from './entries.ts'

/**
 * Writes `<name>.d.ts` for every entry into `folder`, and the declarations that they refer to. Plugins add to the
 * interface `Capabilities`; each entry imports the additions of its own plugins alone.
 */
export async function writeDeclarations(folder: string): Promise<void> {
  const tree = openDeclarations()
  const write = (name: string, lines: readonly string[]): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, `${name}.d.ts`), `${lines.join('\n')}\n`)
  }
  // Two entries with the same name have the same types.
  for (const entry of new Map(entries.map((entry) => [entry.name, entry])).values()) {
    if (entry.profile !== undefined) write(entry.name, [await typesOfProfile(entry.profile, tree)])
    else write(entry.name, typesOfSource(entry.name, join(root, entry.source!), tree))
  }
  for (const { name, module } of typesEntries) {
    write(name, module === undefined ? typesOfAll(tree) : [exported(tree, resolve(root, module))])
  }
  // An entry that shares the types of another entry has a separate file, for resolvers that look for a declaration file
  // at its path.
  const elsewhere = entries.filter(({ form }) => form !== undefined)
  for (const { name, subpath } of [...elsewhere, ...typesEntries]) write(subpath, [`export * from '../${name}.js'`])
  tree.write(folder)
}

async function typesOfProfile(profile: string, tree: DeclarationTree): Promise<string> {
  const planned = await plan(profile)
  const library = planned.targets.find(({ form }) => form === 'library')!
  const additions = capabilityFiles(library.features.flatMap(({ module }) => module ?? []))
  const plugins = new Set(library.features.flatMap(({ module }) => module ?? []))
  const types = libraryTypes(library, (module) =>
    plugins.has(module) ? undefined : `'${tree.add(resolve(root, module))}'`,
  )
  return [...additions.map((file) => `import '${tree.addAdditions(file)}'`), types.trimEnd()].join('\n')
}

function typesOfSource(name: string, source: string, tree: DeclarationTree): string[] {
  const types = exported(tree, source)
  if (name !== 'plugin') return [types]
  // A plugin can use any capability, so this entry imports the additions of all plugins, and exports their types,
  // because the declarations of a published plugin name them.
  const modules = Object.values(matrixFeatures).flatMap(({ plugin }) =>
    typeof plugin === 'object' ? Object.values(plugin) : (plugin ?? []),
  )
  const files = capabilityFiles(modules)
  return [
    ...files.map((file) => `import '${tree.addAdditions(file)}'`),
    types,
    ...capabilityTypes(files, source).map(
      ({ file, names }) => `export type { ${names.join(', ')} } from '${tree.add(file)}'`,
    ),
  ]
}

function typesOfAll(tree: DeclarationTree): string[] {
  return [
    `export type { BuildInfo } from '${tree.add(join(root, 'core/declare/manifest.ts'))}'`,
    exported(tree, join(root, 'core/declare/profile-types.ts')),
  ]
}

function exported(tree: DeclarationTree, file: string): string {
  return `export * from '${tree.add(file)}'`
}

/** The files in which plugins add to the capabilities, given the modules of the plugins. */
function capabilityFiles(modules: readonly string[]): string[] {
  const files = new Set<string>()
  for (const module of modules) {
    for (const folder of [dirname(module), dirname(dirname(module))]) {
      const file = join(folder, 'capabilities.ts')
      if (existsSync(file)) files.add(file)
    }
  }
  return [...files].sort()
}
