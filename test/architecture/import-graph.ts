/** The imports of the sources, as TypeScript's parser sees them. */
import { globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { posix } from 'node:path'
import type ts from 'typescript'
import { foldAbout, isFolded } from '../../scripts/build/generate/without-about.ts'
import { TS } from '../../scripts/build/typescript.ts'
import { nodesOf } from './sources.ts'

/** One import. */
export interface Edge {
  /** Path of the file, relative to the root of the project. */
  readonly from: string
  /** Path of a file of the project, `node:…` for a built-in, otherwise the name of a package. */
  readonly to: string
  /** Whether the import has no effect at run time. */
  readonly typeOnly: boolean
}

/** The folders whose sources the rules apply to. Tests may import everything, and nothing imports tests. */
const folders = ['core', 'plugins', 'profiles', 'scripts']

/** Package names that resolve to a file of the project. */
const aliases: Readonly<Record<string, string>> = { 'svc/plugin': 'core/plugin-api.ts' }

/** Every import of every source below `root`; with `extension` `tsx`, of the components of pages. */
export function readGraph(root: string, extension: 'ts' | 'tsx' = 'ts'): Edge[] {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.${extension}`, { cwd: root }))
  return files.flatMap((file) => importsOf(file, readFileSync(posix.join(root, file), 'utf8')))
}

/** The same graph as bundles have it, without what only `described` parts of declarations import. */
export async function bundledGraph(root: string, graph: readonly Edge[]): Promise<readonly Edge[]> {
  const folded = new Map<string, readonly Edge[]>()
  for (const file of globSync('plugins/**/*.ts', { cwd: root })) {
    const text = readFileSync(posix.join(root, file), 'utf8')
    if (isFolded(file, text)) folded.set(file, importsOf(file, (await foldAbout(text, file)).code))
  }
  return [...graph.filter(({ from }) => !folded.has(from)), ...[...folded.values()].flat()]
}

/** The imports of one source. */
export function importsOf(from: string, text: string): Edge[] {
  const edges: Edge[] = []
  const add = (specifier: ts.Node | undefined, typeOnly: boolean): void => {
    if (specifier !== undefined && TS.isStringLiteralLike(specifier)) {
      edges.push({ from, to: targetOf(from, specifier.text), typeOnly })
    }
  }
  for (const node of nodesOf(from, text)) {
    // `import { type A }` still runs the module (verbatimModuleSyntax): only `import type` leaves nothing.
    if (TS.isImportDeclaration(node)) {
      add(node.moduleSpecifier, node.importClause?.phaseModifier === TS.SyntaxKind.TypeKeyword)
    } else if (TS.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly)
    else if (TS.isImportTypeNode(node) && TS.isLiteralTypeNode(node.argument)) add(node.argument.literal, true)
    else if (TS.isCallExpression(node) && isLoad(node.expression)) add(node.arguments[0], false)
  }
  return edges
}

/** The files that `starts` load at run time, directly or through other files, each with the file that imports it. */
export function reach(edges: readonly Edge[], starts: readonly string[]): Map<string, string | undefined> {
  const found = new Map<string, string | undefined>(starts.map((start) => [start, undefined]))
  for (const file of found.keys()) {
    for (const { from, to, typeOnly } of edges) {
      if (from === file && !typeOnly && !found.has(to)) found.set(to, file)
    }
  }
  return found
}

function isLoad(callee: ts.Expression): boolean {
  return callee.kind === TS.SyntaxKind.ImportKeyword || (TS.isIdentifier(callee) && callee.text === 'require')
}

function targetOf(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier)
  if (specifier.startsWith('node:')) return specifier
  if (builtinModules.includes(specifier)) return `node:${specifier}`
  return aliases[specifier] ?? specifier
}
