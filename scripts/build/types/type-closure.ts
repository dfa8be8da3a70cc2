/**
 * Finds everything that a type refers to, through all files: the statements that declare it, and the names that come
 * from packages.
 */
import type ts from 'typescript'
import { TS } from '../typescript.ts'
import { type DeclaredFile, type NameElsewhere, readDeclaredFile } from './declared-file.ts'

/** How declarations are found. */
export interface DeclarationSource {
  /** The text of the declarations of a file; undefined if there are none. */
  load(file: string): string | undefined
  /** The file of a module that `from` imports; undefined for a package. */
  resolve(module: string, from: string): string | undefined
}

/** What is needed of one file. */
export interface NeededFile {
  readonly source: DeclaredFile
  /** Names that the file declares. */
  readonly declared: Set<string>
  /** Names that the file gets from elsewhere, by the name in this file: from a file or from a package. */
  readonly taken: Map<string, { readonly file?: string; readonly module: string; readonly name: string }>
}

/** The closure of types. */
export interface TypeClosure {
  /** What is needed so far, by file. */
  readonly files: ReadonlyMap<string, NeededFile>
  /** Adds an exported name of a file; `*` stands for all. Returns false if the file does not export it. */
  addExport(file: string, name: string): boolean
  /** Adds everything that a node in a file refers to. */
  addReferences(file: string, node: ts.Node): void
  /** Adds a file of which nothing is needed yet. */
  need(file: string): void
  /** The parsed declarations of a file. */
  read(file: string): DeclaredFile | undefined
}

/** Opens an empty closure. */
export function createTypeClosure({ load, resolve }: DeclarationSource): TypeClosure {
  const read = createReader(load)
  const files = new Map<string, NeededFile>()
  const neededOf = (file: string): NeededFile | undefined => {
    const source = read(file)
    if (source === undefined) return undefined
    const entry = files.get(file) ?? { source, declared: new Set(), taken: new Map() }
    files.set(file, entry)
    return entry
  }
  const addLocal = (file: string, name: string): boolean => {
    const needed = neededOf(file)
    if (needed === undefined) return false
    if (needed.declared.has(name) || needed.taken.has(name)) return true
    const statements = needed.source.declared.get(name)
    if (statements !== undefined) {
      needed.declared.add(name)
      for (const statement of statements) addReferences(file, statement)
      return true
    }
    const elsewhere = needed.source.imported.get(name)
    return elsewhere !== undefined && take(file, needed, name, elsewhere)
  }
  const take = (file: string, needed: NeededFile, localName: string, { module, name }: NameElsewhere): boolean => {
    const other = resolve(module, file)
    needed.taken.set(localName, { ...(other !== undefined && { file: other }), module, name })
    return other === undefined || addExport(other, name)
  }
  const addExport = (file: string, name: string): boolean => {
    const needed = neededOf(file)
    if (needed === undefined) return false
    const { exported, stars } = needed.source
    if (name === '*') {
      for (const one of exported.keys()) addExport(file, one)
      for (const star of stars) {
        const other = resolve(star, file)
        for (const one of other === undefined ? [] : exportsOf(other)) addExport(file, one)
      }
      return true
    }
    const origin = exported.get(name)
    if (typeof origin === 'string')
      return addLocal(file, origin) && (origin === name || alias(needed, name, file, origin))
    if (origin !== undefined) return needed.taken.has(name) || take(file, needed, name, origin)
    for (const star of stars) {
      const other = resolve(star, file)
      if (other !== undefined && exportsOf(other).has(name)) return take(file, needed, name, { module: star, name })
    }
    return false
  }
  const alias = (needed: NeededFile, name: string, file: string, localName: string): boolean => {
    needed.taken.set(name, { file, module: '', name: localName })
    return true
  }
  /** The names that a file exports; `seen` are the files on the way, because files may export each other. */
  const exportsOf = (file: string, seen: readonly string[] = []): ReadonlySet<string> => {
    const source = read(file)
    const names = new Set(source?.exported.keys())
    for (const star of source?.stars ?? []) {
      const other = resolve(star, file)
      if (other === undefined || seen.includes(other)) continue
      for (const name of exportsOf(other, [...seen, file])) names.add(name)
    }
    return names
  }
  const addReferences = (file: string, node: ts.Node): void => {
    if (TS.isImportTypeNode(node)) {
      const other = resolve(moduleOf(node), file)
      if (other !== undefined)
        addExport(other, node.qualifier === undefined ? '*' : firstIdentifier(node.qualifier)!.text)
    }
    const first = firstOf(node)
    if (first !== undefined) addLocal(file, first.text)
    TS.forEachChild(node, (child) => addReferences(file, child))
  }
  return { files, addExport, addReferences, need: (file) => void neededOf(file), read }
}

/** Parses each file once. */
function createReader(load: DeclarationSource['load']): TypeClosure['read'] {
  const sources = new Map<string, DeclaredFile | undefined>()
  return (file) => {
    if (!sources.has(file)) {
      const text = load(file)
      sources.set(file, text === undefined ? undefined : readDeclaredFile(file, text))
    }
    return sources.get(file)
  }
}

/** The first names of all references in a node. */
export function referencesIn(node: ts.Node): string[] {
  const first = firstOf(node)
  const names = first === undefined ? [] : [first.text]
  TS.forEachChild(node, (child) => void names.push(...referencesIn(child)))
  return names
}

/** The module of `import('…')` in a type. */
export function moduleOf({ argument }: ts.ImportTypeNode): string {
  return ((argument as ts.LiteralTypeNode).literal as ts.StringLiteral).text
}

/** The first identifier of what a node refers to, if the node is a reference. */
export function firstOf(node: ts.Node): ts.Identifier | undefined {
  const named = referenceOf(node)
  return named === undefined ? undefined : firstIdentifier(named)
}

/** The name that a type refers to, if the node is such a reference. */
function referenceOf(node: ts.Node): ts.EntityName | ts.Expression | undefined {
  if (TS.isTypeReferenceNode(node)) return node.typeName
  if (TS.isExpressionWithTypeArguments(node)) return node.expression
  if (TS.isTypeQueryNode(node)) return TS.isImportTypeNode(node.exprName) ? undefined : node.exprName
  // A computed member name, such as `[Symbol.iterator]`.
  if (TS.isComputedPropertyName(node)) return node.expression
  return undefined
}

/** The first identifier of `a.b.c`; undefined for anything else. */
function firstIdentifier(node: ts.Node): ts.Identifier | undefined {
  if (TS.isQualifiedName(node)) return firstIdentifier(node.left)
  if (TS.isPropertyAccessExpression(node)) return firstIdentifier(node.expression)
  return TS.isIdentifier(node) ? node : undefined
}
