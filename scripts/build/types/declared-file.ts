/** Reads one declaration file: what it declares, imports and exports, and what it adds to other modules. */
import type ts from 'typescript'
import { loadTypeScript, TS } from '../typescript.ts'

/** A name in another module; `*` stands for the whole module. */
export interface NameElsewhere {
  readonly module: string
  readonly name: string
}

/** The parts of a declaration file, by name. */
export interface DeclaredFile {
  readonly text: string
  /** The statements that declare a name: several for an interface or a function that is declared in parts. */
  readonly declared: ReadonlyMap<string, readonly ts.Statement[]>
  readonly imported: ReadonlyMap<string, NameElsewhere>
  /** Exported names: a name of this file, or a name elsewhere. */
  readonly exported: ReadonlyMap<string, string | NameElsewhere>
  /** The modules of `export * from`. */
  readonly stars: readonly string[]
  /** Blocks `declare module '…'`. */
  readonly additions: readonly ts.ModuleDeclaration[]
}

/** Parses the text of a declaration file. */
export function readDeclaredFile(name: string, text: string): DeclaredFile {
  const source = loadTypeScript().createSourceFile(name, text, TS.ScriptTarget.ESNext, true)
  const declared = new Map<string, ts.Statement[]>()
  const imported = new Map<string, NameElsewhere>()
  const exported = new Map<string, string | NameElsewhere>()
  const stars: string[] = []
  const additions: ts.ModuleDeclaration[] = []
  for (const statement of source.statements) {
    if (TS.isImportDeclaration(statement)) readImports(statement, imported)
    else if (TS.isExportDeclaration(statement)) {
      const module = statement.moduleSpecifier && (statement.moduleSpecifier as ts.StringLiteral).text
      if (statement.exportClause === undefined) stars.push(module!)
      else readExports(statement.exportClause, module, exported)
    } else if (TS.isModuleDeclaration(statement) && TS.isStringLiteral(statement.name)) additions.push(statement)
    else {
      const flags = TS.canHaveModifiers(statement) ? TS.getCombinedModifierFlags(statement as never) : 0
      for (const localName of namesOf(statement)) {
        declared.set(localName, [...(declared.get(localName) ?? []), statement])
        if (flags & TS.ModifierFlags.Export)
          exported.set(flags & TS.ModifierFlags.Default ? 'default' : localName, localName)
      }
    }
  }
  return { text, declared, imported, exported, stars, additions }
}

function readImports({ importClause, moduleSpecifier }: ts.ImportDeclaration, into: Map<string, NameElsewhere>): void {
  const module = (moduleSpecifier as ts.StringLiteral).text
  if (importClause?.name !== undefined) into.set(importClause.name.text, { module, name: 'default' })
  const bindings = importClause?.namedBindings
  if (bindings === undefined) return
  if (TS.isNamespaceImport(bindings)) into.set(bindings.name.text, { module, name: '*' })
  else
    for (const { name, propertyName } of bindings.elements)
      into.set(name.text, { module, name: (propertyName ?? name).text })
}

function readExports(
  clause: ts.NamedExportBindings,
  module: string | undefined,
  into: Map<string, string | NameElsewhere>,
): void {
  if (TS.isNamespaceExport(clause)) into.set(clause.name.text, { module: module!, name: '*' })
  else
    for (const { name, propertyName } of clause.elements) {
      const localName = (propertyName ?? name).text
      into.set(name.text, module === undefined ? localName : { module, name: localName })
    }
}

function namesOf(statement: ts.Statement): string[] {
  if (TS.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => (TS.isIdentifier(name) ? [name.text] : []))
  const { name } = statement as { name?: ts.Node }
  return name !== undefined && TS.isIdentifier(name) ? [name.text] : []
}
