/** The types that the capabilities of all plugins refer to, so that `svc/plugin` exports each by a name. */
import { relative } from 'node:path'
import { root } from '../build/paths.ts'
import { fromFiles } from '../build/types/source-declarations.ts'
import { createTypeClosure } from '../build/types/type-closure.ts'

/** The types of one file. */
export interface TypesOfFile {
  readonly file: string
  /** The clauses of an export: `Live`, or `ProjectReads as KbdProjectReads`. */
  readonly names: readonly string[]
}

/**
 * The exported types in the folder of the plugins that `files` refer to. `entry` is the source of `svc/plugin`. A name
 * that two files declare, or that the entry exports itself, begins with the name of its family.
 * @throws TypeError if a type is not exported, or if two types would have one name
 */
export function capabilityTypes(files: readonly string[], entry: string): TypesOfFile[] {
  const closure = createTypeClosure(fromFiles)
  closure.addExport(entry, '*')
  const entryNames = new Set([...closure.files].flatMap(([, { declared }]) => [...declared]))
  for (const file of files) {
    closure.addExport(file, '*')
    for (const addition of closure.read(file)!.additions) closure.addReferences(file, addition)
  }
  const ofPlugins = [...closure.files].filter(([file]) => file.startsWith(`${root}/plugins/`))
  const all = ofPlugins.flatMap(([, { declared }]) => [...declared])
  const isTaken = (name: string): boolean => entryNames.has(name) || all.filter((other) => other === name).length > 1
  const result = ofPlugins
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, { source, declared }]) => ({
      file,
      names: [...declared].sort().map((name) => {
        if (source.exported.get(name) !== name)
          throw new TypeError(`${relative(root, file)}: ${name} is a type of a capability and is not exported`)
        return isTaken(name) ? `${name} as ${familyOf(file)}${name}` : name
      }),
    }))
  const names = result.flatMap(({ names }) => names.map((name) => name.replace(/^.* as /, '')))
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new TypeError(`Two types of capabilities are called ${twice}`)
  return result.filter(({ names }) => names.length > 0)
}

/** The family of a file of a plugin, as the beginning of a type name: `Kbd`. */
function familyOf(file: string): string {
  const [family = ''] = relative(`${root}/plugins`, file).split(/[/\\]/)
  return `${family.slice(0, 1).toUpperCase()}${family.slice(1)}`
}
