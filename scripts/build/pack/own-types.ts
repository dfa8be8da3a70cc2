/**
 * The types of a user's plugins that belong to a library: the capabilities that they declare, and what they export.
 * They are copied into the declarations of the library, so that a program that uses the library needs no file of the
 * plugins.
 */
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type ts from 'typescript'
import { root } from '../paths.ts'
import { namespaceOf, namespaces, statementText } from '../types/namespaces.ts'
import { fromFiles, typesFileOf } from '../types/source-declarations.ts'
import { createTypeClosure, referencesIn, type TypeClosure } from '../types/type-closure.ts'

/** The copied types of plugins. */
export interface OwnTypes {
  /** The namespace that has the exports of a module; undefined if it has no types. */
  namespace(module: string): string | undefined
  /** The names of the types and values that a module exports, as far as they are copied. */
  exportsOf(module: string): readonly string[]
  /** The declarations. */
  lines(): string[]
}

/** Copies the types of plugins. `base` is the folder of the profile, `modules` are the modules of its own features. */
export function ownTypes(base: string, modules: readonly string[]): OwnTypes {
  const closure = createTypeClosure(fromFiles)
  const additions = new Map<string, string[]>()
  for (const file of modules.flatMap((module) => [...filesOf(module)])) addCapabilities(file, base, closure, additions)
  return {
    namespace: (module) => {
      const file = typesFileOf(module)
      if (file === undefined) return undefined
      closure.addExport(file, '*')
      return namespaceOf(file, base)
    },
    exportsOf: (module) => {
      const needed = closure.files.get(typesFileOf(module) ?? '')
      return needed === undefined
        ? []
        : [...needed.declared, ...needed.taken.keys()].filter((name) => name !== 'default')
    },
    lines: () => [
      ...namespaces(closure.files, base, additions),
      ...[...additions.keys()].map(
        (file) =>
          `declare module 'svc/plugin' {\n  interface Capabilities extends ${namespaceOf(file, base)}.${OWN} {}\n}`,
      ),
    ],
  }
}

/** The interface of a namespace that has the capabilities of its file. */
const OWN = 'OwnCapabilities'

/** A block that adds to the types of `svc/plugin`. Files without one are not parsed. */
const ADDITION = /\bdeclare module (['"])svc\/plugin\1/

/** Adds the capabilities that a file declares, and everything that they refer to. */
function addCapabilities(file: string, base: string, closure: TypeClosure, additions: Map<string, string[]>): void {
  if (!ADDITION.test(readFileSync(file, 'utf8'))) return
  const { additions: blocks } = closure.read(file)!
  for (const { name, body } of blocks) {
    if (name.text !== 'svc/plugin' || body === undefined) continue
    const interfaces = (body as ts.ModuleBlock).statements.filter((one) => nameOf(one) === 'Capabilities')
    for (const statement of interfaces) {
      closure.need(file)
      closure.addReferences(file, statement)
      takeFromApi(file, statement, closure)
      const text = statementText(statement, closure.files, file, base).replace(
        /\binterface Capabilities\b/,
        `interface ${OWN}`,
      )
      additions.set(file, [...(additions.get(file) ?? []), text])
    }
  }
}

/** Inside of the block all types of `svc/plugin` have their names without an import. */
function takeFromApi(file: string, statement: ts.Statement, closure: TypeClosure): void {
  const { declared, taken } = closure.files.get(file)!
  const exported = closure.read(join(root, 'core/plugin-api.ts'))!.exported
  for (const name of referencesIn(statement)) {
    if (!declared.has(name) && !taken.has(name) && exported.has(name)) taken.set(name, { module: 'svc/plugin', name })
  }
}

function nameOf(statement: ts.Statement): string | undefined {
  return (statement as { name?: ts.Identifier }).name?.text
}

/** The files with the types of a module and of the files that it imports. */
function filesOf(module: string, files = new Set<string>()): Set<string> {
  const file = typesFileOf(module)
  if (file === undefined || files.has(file)) return files
  files.add(file)
  const imports = readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g)
  for (const [, , path] of imports) filesOf(resolve(dirname(file), path!), files)
  return files
}
