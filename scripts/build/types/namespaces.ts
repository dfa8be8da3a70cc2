/** Writes declarations of several files as namespaces of one file, so that no name has to be changed. */
import { relative } from 'node:path'
import type ts from 'typescript'
import { TS } from '../typescript.ts'
import { fromFiles } from './source-declarations.ts'
import { firstOf, moduleOf, type TypeClosure } from './type-closure.ts'

/** The name of the namespace of a file: a folder of the profile does not change it. */
export function namespaceOf(file: string, base: string): string {
  return identifier(relative(base, file).replace(/^.*node_modules\//, ''))
}

/** The files of a closure. */
type Files = TypeClosure['files']

/** A name that a package exports. */
interface OfPackage {
  readonly module: string
  readonly name: string
}

/**
 * The namespaces of all files of a closure, and the imports of packages that they need. `additions` are further lines
 * by file.
 */
export function namespaces(
  files: Files,
  base: string,
  additions: ReadonlyMap<string, readonly string[]> = new Map(),
): string[] {
  const imports = new Set<string>()
  const blocks = [...files].map(([file, needed]) => {
    const lines = [
      ...takenLines(files, file, base, imports),
      ...declaredLines(files, file, base),
      ...(additions.get(file) ?? []),
    ]
    const indented = lines.flatMap((line) => line.split('\n')).map((line) => `  ${line}`)
    return needed.declared.size + lines.length === 0
      ? ''
      : [`declare namespace ${namespaceOf(file, base)} {`, ...indented, '}'].join('\n')
  })
  return [...[...imports].sort(), ...blocks.filter((block) => block !== '').sort()]
}

/**
 * The text of a statement in a namespace: exported, with the names of namespaces in place of paths, and the imported
 * names of packages.
 */
export function statementText(statement: ts.Statement, files: Files, file: string, base: string): string {
  const source = statement.getSourceFile().text
  const changes: { readonly from: number; readonly to: number; readonly text: string }[] = []
  const find = (node: ts.Node): void => {
    const other = TS.isImportTypeNode(node) ? fromFiles.resolve(moduleOf(node), file) : undefined
    if (TS.isImportTypeNode(node) && other !== undefined) {
      const to = node.qualifier === undefined ? (node.typeArguments?.pos ?? node.end) : node.qualifier.getStart()
      const dot = node.qualifier === undefined ? '' : '.'
      const text = `${node.isTypeOf ? 'typeof ' : ''}${namespaceOf(other, base)}${dot}`
      changes.push({ from: node.getStart(), to, text })
    }
    const first = firstOf(node)
    const taken = first === undefined ? undefined : packageOf(files, file, first.text)
    if (first !== undefined && taken !== undefined)
      changes.push({ from: first.getStart(), to: first.end, text: importedName(taken) })
    TS.forEachChild(node, find)
  }
  find(statement)
  const start = statement.getStart()
  let text = source.slice(start, statement.end)
  for (const { from, to, text: changed } of changes.sort((a, b) => b.from - a.from))
    text = text.slice(0, from - start) + changed + text.slice(to - start)
  const comment = source.slice(statement.pos, start).trim()
  return `${comment === '' ? '' : `${comment}\n`}export ${text.replace(/^(?:(?:export|default|declare) )+/, '')}`
}

/** The package that a name comes from, also through other files. */
function packageOf(files: Files, file: string, name: string): OfPackage | undefined {
  const taken = files.get(file)?.taken.get(name)
  if (taken === undefined) return undefined
  return taken.file === undefined ? taken : packageOf(files, taken.file, taken.name)
}

/**
 * Names of packages are imported once for all namespaces. An alias in a namespace could not refer to what is exported
 * as a type alone.
 */
function importedName({ module, name }: OfPackage): string {
  return name === '*' ? identifier(module) : `${identifier(module)}_${name}`
}

function takenLines(files: Files, file: string, base: string, imports: Set<string>): string[] {
  return [...files.get(file)!.taken].flatMap(([localName, { file: other, module, name }]) => {
    const ofPackage = packageOf(files, file, localName)
    if (ofPackage !== undefined) {
      const clause = ofPackage.name === '*' ? '* as' : `{ ${ofPackage.name} as`
      const end = ofPackage.name === '*' ? '' : ' }'
      imports.add(`import type ${clause} ${importedName(ofPackage)}${end} from '${ofPackage.module}'`)
      return []
    }
    if (module === '') return [`export import ${localName} = ${name}`]
    const from = namespaceOf(other!, base)
    return [`export import ${localName} = ${name === '*' ? from : `${from}.${name}`}`]
  })
}

function declaredLines(files: Files, file: string, base: string): string[] {
  const { source, declared } = files.get(file)!
  const statements = new Set([...declared].flatMap((name) => source.declared.get(name) ?? []))
  return [...statements].sort((a, b) => a.pos - b.pos).map((one) => statementText(one, files, file, base))
}

/**
 * Two texts never have one identifier: only a slash becomes an underscore, other characters are written as their code.
 */
function identifier(text: string): string {
  const stem = text.replace(/\.(?:d\.)?[cm]?[jt]sx?$/, '')
  return `_${stem.replace(/[^A-Za-z0-9]/g, (one) => (one === '/' ? '_' : `$${one.codePointAt(0)!.toString(16)}_`))}`
}
