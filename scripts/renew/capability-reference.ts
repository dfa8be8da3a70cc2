/** The reference of all capabilities, generated from the doc comments of the code. */
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type ts from 'typescript'
import { root } from '../build/paths.ts'
import { matrixFeatures } from '../build/plan/locate-feature.ts'
import { featureOwners } from '../build/plan/plan.ts'
import { planVariants } from '../build/plan/plan-feature.ts'
import { loadTypeScript, TS } from '../build/typescript.ts'

/** One capability. */
export interface CapabilityEntry {
  readonly name: string
  /** The doc comment of the capability, or else the doc comment of its type. */
  readonly summary: string
  /** Type of its value, as source text. */
  readonly type: string
  /** The declaration of that type with its doc comments. Undefined if `type` is not declared in the plugins. */
  readonly source: string | undefined
  /** Features that provide it, with the profiles that have each. */
  readonly providers: readonly { readonly id: string; readonly profiles: readonly string[] }[]
  /** Path of the file that names it, from the root of the project. */
  readonly file: string
}

/** All capabilities, and the other types of plugins that they refer to, by the file that declares them. */
export interface CapabilityReference {
  readonly capabilities: readonly CapabilityEntry[]
  /** Names that the plugins of the matrix provide, require or want. */
  readonly used: ReadonlySet<string>
  readonly types: ReadonlyMap<string, readonly { readonly name: string; readonly source: string }[]>
}

/** Reads every `capabilities.ts`, and follows the types that it names. */
export async function readCapabilities(): Promise<CapabilityReference> {
  loadTypeScript()
  const files = capabilityFiles()
  const { options } = TS.parseJsonConfigFileContent(
    TS.readConfigFile(join(root, 'tsconfig.json'), TS.sys.readFile).config,
    TS.sys,
    root,
  )
  const program = TS.createProgram(files, { ...options, noEmit: true, types: [] })
  const checker = program.getTypeChecker()
  const { providers, used } = await namesOfPlugins()
  const seen = new Set<ts.Node>()
  const types = new Map<string, { name: string; source: string }[]>()

  const capabilities = files.flatMap((file) => {
    const source = program.getSourceFile(file)!
    return declaredHere(source).map((member): CapabilityEntry => {
      const name = (member.name as ts.Identifier).text
      const declaration = declarationOf(member.type!, checker)
      if (declaration !== undefined) seen.add(declaration)
      return {
        name,
        summary: docOf(member) ?? (declaration === undefined ? undefined : docOf(declaration)) ?? '',
        type: member.type!.getText(),
        source: declaration === undefined ? undefined : sourceOf(declaration),
        providers: providers.get(name) ?? [],
        file: relative(root, file).replaceAll('\\', '/'),
      }
    })
  })
  // Follows the types that capabilities refer to, directly or through other types, if plugins declare them.
  const queue = [...seen]
  for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
    const visit = (node: ts.Node): void => {
      const named = TS.isTypeReferenceNode(node) || TS.isExpressionWithTypeArguments(node) ? node : undefined
      const declaration = named === undefined ? undefined : declarationOf(named, checker)
      if (declaration !== undefined && !seen.has(declaration) && isOfPlugins(declaration)) {
        seen.add(declaration)
        queue.push(declaration)
        const file = relative(root, declaration.getSourceFile().fileName).replaceAll('\\', '/')
        const list = types.get(file) ?? []
        list.push({ name: declaration.name!.getText(), source: sourceOf(declaration) })
        types.set(file, list)
      }
      TS.forEachChild(node, visit)
    }
    visit(node)
  }
  return { capabilities, used, types }
}

type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration

function capabilityFiles(): string[] {
  const ofPlugins = globSync('plugins/**/capabilities.ts', { cwd: root }).sort()
  return ['core/declare/capabilities.ts', ...ofPlugins].map((file) => join(root, file))
}

/** The members of `Capabilities` in the core, or of the interface with which a family extends `Capabilities`. */
function declaredHere(source: ts.SourceFile): ts.PropertySignature[] {
  return source.statements
    .filter(TS.isInterfaceDeclaration)
    .filter(({ name }) => name.text.endsWith('Capabilities'))
    .flatMap(({ members }) => members.filter(TS.isPropertySignature))
}

interface NamesOfPlugins {
  readonly providers: ReadonlyMap<string, CapabilityEntry['providers']>
  readonly used: ReadonlySet<string>
}

async function namesOfPlugins(): Promise<NamesOfPlugins> {
  const owners = await featureOwners()
  const providers = new Map<string, CapabilityEntry['providers']>()
  const used = new Set<string>()
  for (const [id, feature] of Object.entries(matrixFeatures)) {
    const planned = planVariants(id, feature)
    const plugins = planned.flatMap(({ plugin }) => plugin ?? [])
    for (const { provides = [], requires = [], wants = [] } of plugins)
      for (const name of [...provides, ...requires, ...wants]) used.add(name)
    for (const name of new Set(plugins.flatMap(({ provides }) => provides ?? [])))
      providers.set(name, [...(providers.get(name) ?? []), { id, profiles: owners.get(id) ?? [] }])
  }
  return { providers, used }
}

function declarationOf(node: ts.TypeNode, checker: ts.TypeChecker): Declaration | undefined {
  // Takes the first type of a union such as `RunStore | undefined`.
  if (TS.isUnionTypeNode(node)) return declarationOf(node.types[0]!, checker)
  if (!TS.isTypeReferenceNode(node) && !TS.isExpressionWithTypeArguments(node)) return undefined
  const name = TS.isTypeReferenceNode(node) ? node.typeName : node.expression
  const localSymbol = checker.getSymbolAtLocation(name)
  const symbol =
    localSymbol !== undefined && localSymbol.flags & TS.SymbolFlags.Alias
      ? checker.getAliasedSymbol(localSymbol)
      : localSymbol
  return symbol?.declarations?.find(
    (candidate): candidate is Declaration =>
      TS.isInterfaceDeclaration(candidate) || TS.isTypeAliasDeclaration(candidate),
  )
}

function isOfPlugins(declaration: Declaration): boolean {
  return declaration.getSourceFile().fileName.startsWith(join(root, 'plugins'))
}

function docOf(node: ts.Node): string | undefined {
  const [doc] = TS.getJSDocCommentsAndTags(node).filter(TS.isJSDoc)
  return doc === undefined ? undefined : TS.getTextOfJSDocComment(doc.comment)?.replaceAll(/\s+/g, ' ')
}

/** A declaration as written in the code, with its doc comment and without `export`. */
function sourceOf(declaration: Declaration): string {
  const text = readFileSync(declaration.getSourceFile().fileName, 'utf8')
  const [doc] = TS.getJSDocCommentsAndTags(declaration).filter(TS.isJSDoc)
  const start = doc?.pos ?? declaration.getStart()
  return text.slice(start, declaration.end).replace(/^export (?=interface|type)/m, '')
}
