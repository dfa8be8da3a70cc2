/**
 * The declarations of the package: for each source file that the entries refer to, one file at its path in the project,
 * with the declarations that are needed.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type ts from 'typescript'
import { root } from '../build/paths.ts'
import { fromFiles } from '../build/types/source-declarations.ts'
import { createTypeClosure, type NeededFile } from '../build/types/type-closure.ts'
import { peers } from './entries.ts'

/** The folder of these files in the package. */
const FOLDER = 'declarations'

/** The declarations of a package. */
export interface DeclarationTree {
  /**
   * Adds what a source file exports, and everything that this refers to. Returns the path of its declarations for
   * imports in the package's root.
   */
  add(file: string): string
  /** Adds what a file adds to other modules: the capabilities of a plugin. */
  addAdditions(file: string): string
  /** Writes the files. */
  write(folder: string): void
}

/** Opens an empty tree. */
export function openDeclarations(): DeclarationTree {
  const closure = createTypeClosure(fromFiles)
  const adding = new Set<string>()
  const add = (file: string): string => {
    closure.addExport(file, '*')
    return `./${pathOf(file).replace(/\.d\.ts$/, '.js')}`
  }
  return {
    add,
    addAdditions: (file) => {
      adding.add(file)
      for (const addition of closure.read(file)!.additions) {
        closure.addReferences(file, addition)
        for (const statement of (addition.body as ts.ModuleBlock).statements) {
          const { name } = statement as ts.InterfaceDeclaration
          const target = fromFiles.resolve(addition.name.text, file)!
          if (!closure.addExport(target, name.text))
            throw new TypeError(`${file} adds to ${name.text}, which ${target} does not export`)
        }
      }
      return add(file)
    },
    write: (folder) => {
      for (const [file, needed] of closure.files) {
        const target = join(folder, pathOf(file))
        mkdirSync(dirname(target), { recursive: true })
        writeFileSync(target, textOf(file, needed, adding.has(file)))
      }
    },
  }
}

function pathOf(file: string): string {
  return join(
    FOLDER,
    relative(root, file)
      .replaceAll('\\', '/')
      .replace(/\.tsx?$/, '.d.ts'),
  )
}

/** The needed declarations of a file, in the order of the file. */
function textOf(file: string, { source, declared, taken }: NeededFile, withAdditions: boolean): string {
  const lines: string[] = []
  for (const [localName, { file: other, module, name }] of taken) {
    if (other === undefined && !Object.hasOwn(peers, module))
      throw new TypeError(`${file} refers to types of ${module}, which the package does not contain`)
    const clause =
      name === '*' ? `* as ${localName}` : name === localName ? `{ ${localName} }` : `{ ${name} as ${localName} }`
    if (source.imported.has(localName)) lines.push(`import type ${clause} from '${module}'`)
    if (typeof source.exported.get(localName) === 'object') lines.push(`export ${clause} from '${module}'`)
  }
  for (const module of source.stars) lines.push(`export * from '${module}'`)
  const statements = new Set([...declared].flatMap((name) => source.declared.get(name) ?? []))
  if (withAdditions) for (const addition of source.additions) statements.add(addition)
  for (const statement of [...statements].sort((a, b) => a.pos - b.pos)) lines.push(statement.getFullText().trim())
  for (const [name, origin] of source.exported) {
    if (
      typeof origin === 'string' &&
      (origin !== name || taken.has(origin)) &&
      (declared.has(origin) || taken.has(origin))
    )
      lines.push(`export { ${origin} as ${name} }`)
  }
  // Without this line all declarations of the file would be exported.
  lines.push('export {}')
  return `${withJavaScriptNames(lines.join('\n'))}\n`
}

/**
 * Declarations refer to modules by the names of their code, which are the only names that all compilers resolve.
 * Plugins add to the capabilities through the module of the plugin interface; here they name the module that declares
 * them, because the compiler forgets an addition through one module if another file adds through a second one, as users
 * do through `svc/plugin`.
 */
function withJavaScriptNames(text: string): string {
  return text
    .replace(/^(declare module '[^']*core\/declare\/)plugin(\.ts')/gm, '$1capabilities$2')
    .replace(/((?:\bfrom|\bimport|\bmodule) |\bimport\()(['"])(\.{1,2}\/[^'"\n]*)\.tsx?\2/g, '$1$2$3.js$2')
}
