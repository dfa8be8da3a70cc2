/** Writes declarations of several files as namespaces of one file, so that no name has to be changed. */
import { relative } from 'node:path'
import type ts from 'typescript'
import { TS } from '../typescript.ts'
import { fromFiles } from './source-declarations.ts'
import { moduleOf, type NeededFile, type TypeClosure } from './type-closure.ts'

/** The name of the namespace of a file. The same in any folder of the profile. */
export function namespaceOf(file: string, base: string): string {
  return identifier(relative(base, file).replace(/^.*node_modules\//, ''))
}

/** The namespaces of all files of a closure, and the imports of packages that they need. `additions` are further lines by file. */
export function namespaces(
  { files }: Pick<TypeClosure, 'files'>,
  base: string,
  additions: ReadonlyMap<string, readonly string[]> = new Map(),
): string[] {
  const packages = new Set<string>()
  const blocks = [...files].map(([file, needed]) => {
    const lines = [
      ...takenLines(needed, base, packages),
      ...declaredLines(file, needed, base),
      ...(additions.get(file) ?? []),
    ]
    const indented = lines.flatMap((line) => line.split('\n')).map((line) => `  ${line}`)
    return [`declare namespace ${namespaceOf(file, base)} {`, ...indented, '}'].join('\n')
  })
  const imports = [...packages].sort().map((module) => `import * as ${identifier(module)} from '${module}'`)
  return [...imports, ...blocks.sort()]
}

/** The text of a statement in a namespace: exported, and with the names of namespaces in place of paths. */
export function statementText(statement: ts.Statement, file: string, base: string): string {
  const source = statement.getSourceFile().text
  const paths: { readonly from: number; readonly to: number; readonly text: string }[] = []
  const find = (node: ts.Node): void => {
    if (TS.isImportTypeNode(node)) {
      const other = fromFiles.resolve(moduleOf(node), file)
      const to = node.qualifier === undefined ? (node.typeArguments?.pos ?? node.end) : node.qualifier.pos
      const dot = node.qualifier === undefined ? '' : '.'
      const text = `${node.isTypeOf ? 'typeof ' : ''}${other === undefined ? '' : namespaceOf(other, base)}${dot}`
      if (other !== undefined) paths.push({ from: node.getStart(), to, text })
    }
    TS.forEachChild(node, find)
  }
  find(statement)
  const start = statement.getStart()
  let text = source.slice(start, statement.end)
  for (const { from, to, text: replaced } of paths.sort((a, b) => b.from - a.from))
    text = text.slice(0, from - start) + replaced + text.slice(to - start)
  const comment = source.slice(statement.pos, start).trim()
  return `${comment === '' ? '' : `${comment}\n`}export ${text.replace(/^(?:(?:export|default|declare) )+/, '')}`
}

function takenLines({ taken }: NeededFile, base: string, packages: Set<string>): string[] {
  return [...taken].map(([own, { file, module, name }]) => {
    if (module === '') return `export import ${own} = ${name}`
    if (file === undefined) packages.add(module)
    const from = file === undefined ? identifier(module) : namespaceOf(file, base)
    return `export import ${own} = ${name === '*' ? from : `${from}.${name}`}`
  })
}

function declaredLines(file: string, { source, declared }: NeededFile, base: string): string[] {
  const statements = new Set([...declared].flatMap((name) => source.declared.get(name) ?? []))
  return [...statements].sort((a, b) => a.pos - b.pos).map((statement) => statementText(statement, file, base))
}

function identifier(text: string): string {
  return `_${text
    .replace(/\.(?:d\.)?[cm]?[jt]sx?$/, '')
    .replace(/\W+/g, '_')
    .replace(/^_+/, '')}`
}
