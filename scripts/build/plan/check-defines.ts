/**
 * Checks that code uses the defines of the matrix correctly. A define works only as a bare identifier directly in a
 * condition. An alias of a define (a constant, a property, a re-export) is folded too late: the bundler has already
 * followed the imports of the dead branch. So every other use is an error.
 */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type ts from 'typescript'
import { nearest } from '../../../core/kernel/nearest.ts'
import type { Problem } from '../errors.ts'
import { folderOf, root, shown } from '../paths.ts'
import { openResults } from '../record/result-store.ts'
import { loadTypeScript, TS } from '../typescript.ts'
import { defineName, ofBuild } from './defines.ts'
import { type LocatedFeature, matrixFeatures, modulesOf } from './locate-feature.ts'

const DEFINE = /^__[A-Z][A-Z0-9_]*__$/
const MENTION = /__[A-Z][A-Z0-9_]*__/

/** One use of a define. */
export interface DefineUse {
  readonly define: string
  /** `file:line`. */
  readonly place: string
  /** Whether the define is directly in a condition. */
  readonly inCondition: boolean
  /** The string that the define is compared with, if any. */
  readonly variant?: string | undefined
}

/** A declared define. */
export interface DeclaredDefine {
  /** The possible strings; empty if the define is a boolean. */
  readonly variants: readonly string[]
  /** Whether the define chooses a module of its feature, in the registry or in an entry. */
  readonly chooses: boolean
}

/**
 * Reports all problems with the defines of a set of features; `base` is the folder of the profile. Our own sources are
 * read only if `ours` is true: they are the same for every profile, and an installed toolkit contains sources that
 * passed.
 */
export async function checkDefines(
  knownFeatures: Readonly<Record<string, LocatedFeature>>,
  base: string,
  ours: boolean,
): Promise<Problem[]> {
  const declared = new Map<string, DeclaredDefine>(ofBuild.map((name) => [name, { variants: [], chooses: !ours }]))
  const places = new Set(ours ? [join(root, 'core'), join(root, 'plugins')] : [])
  for (const [id, feature] of Object.entries(knownFeatures)) {
    const variants = typeof feature.plugin === 'object' ? Object.keys(feature.plugin) : []
    const modules = modulesOf(feature)
    const isOurs = Object.hasOwn(matrixFeatures, id)
    declared.set(defineName(id), { variants, chooses: modules.length > 0 || (isOurs && !ours) })
    // A feature beside another one is one file.
    for (const place of feature.folder === undefined ? modules : modules.map(folderOf)) {
      if (!place.startsWith(join(root, 'plugins'))) places.add(place)
    }
  }
  const files = [...places]
    // A missing one is reported when its module is loaded.
    .filter((place) => existsSync(place))
    .flatMap((place) => (statSync(place).isFile() ? [place] : sources(place)))
  const uses = await Promise.all(files.map((file) => definesInFile(readFileSync(file, 'utf8'), shown(file, base))))
  return judgeDefines(declared, uses.flat())
}

const results = openResults<readonly DefineUse[]>('defines')

/** The kept result of {@link definesIn}: TypeScript's parser takes most of a second to load and to read our sources. */
async function definesInFile(text: string, name: string): Promise<readonly DefineUse[]> {
  return MENTION.test(text) ? results.resultFor([name, text], async () => definesIn(text, name)) : []
}

/** Reports all problems with uses of defines, given the declared defines. */
export function judgeDefines(declared: ReadonlyMap<string, DeclaredDefine>, uses: readonly DefineUse[]): Problem[] {
  const problems: Problem[] = []
  for (const { define, place, inCondition, variant } of uses) {
    const declaration = declared.get(define)
    if (declaration === undefined) {
      const near = nearest(define, [...declared.keys()])
      const hint =
        `${near === undefined ? '' : `Did you mean ${near}? `}A define is ` +
        'named after the id of its feature: __AUTH_JWKS__ of auth.jwks.'
      problems.push({ code: 'ERR_FLAG_UNDECLARED', message: `${place}: no feature declares ${define}.`, hint })
    } else if (!inCondition) {
      const hint =
        `Write \`if (${define}) …\` or \`${define} ? … : …\` where it is ` +
        'needed; through an alias the dead branch stays in the bundle.'
      problems.push({ code: 'ERR_FLAG_ALIASED', message: `${place}: ${define} does not stand in a condition.`, hint })
    } else if (variant !== undefined && !declaration.variants.includes(variant)) {
      const hint =
        declaration.variants.length === 0 ? 'It is true or false.' : `It may be ${declaration.variants.join(', ')}.`
      problems.push({ code: 'ERR_FLAG_UNDECLARED', message: `${place}: ${define} is never '${variant}'.`, hint })
    }
  }
  const used = new Set(uses.map(({ define }) => define))
  for (const [define, { chooses }] of declared) {
    if (chooses || used.has(define)) continue
    const hint = 'Name a module of its feature, or take the feature out.'
    problems.push({
      code: 'ERR_FLAG_UNUSED',
      message: `${define} chooses no module, and no code branches on it.`,
      hint,
    })
  }
  return problems
}

/** Every use of a define in a source text. */
export function definesIn(text: string, name: string): DefineUse[] {
  if (!MENTION.test(text)) return []
  loadTypeScript()
  const source = TS.createSourceFile(name, text, TS.ScriptTarget.Latest, true)
  const uses: DefineUse[] = []
  const visit = (node: ts.Node): void => {
    if (TS.isIdentifier(node) && DEFINE.test(node.text) && !isDeclaration(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart())
      const { whole, variant } = comparison(node)
      uses.push({ define: node.text, place: `${name}:${line + 1}`, inCondition: isInCondition(whole), variant })
    }
    TS.forEachChild(node, visit)
  }
  visit(source)
  return uses
}

/** Whether an identifier is in a `declare const __X__: boolean`, which declares the value that the bundler inserts. */
function isDeclaration(node: ts.Identifier): boolean {
  const { parent } = node
  if (!TS.isVariableDeclaration(parent) || parent.name !== node) return false
  const statement = parent.parent.parent
  return (
    TS.isVariableStatement(statement) &&
    (statement.modifiers ?? []).some(({ kind }) => kind === TS.SyntaxKind.DeclareKeyword)
  )
}

/** The comparison of a define with a string, or the define itself if it is not compared. */
function comparison(node: ts.Identifier): { whole: ts.Node; variant?: string } {
  const operand = TS.isTypeOfExpression(node.parent) ? node.parent : node
  const { parent } = operand
  if (!TS.isBinaryExpression(parent) || parent.left !== operand || !isEquality(parent.operatorToken.kind)) {
    return { whole: node }
  }
  if (!TS.isStringLiteral(parent.right)) return { whole: node }
  // `typeof __X__ === 'undefined'` is true only if the sources run without a bundler.
  if (operand !== node) return { whole: parent.right.text === 'undefined' ? parent : node }
  return { whole: parent, variant: parent.right.text }
}

function isEquality(kind: ts.SyntaxKind): boolean {
  return kind === TS.SyntaxKind.EqualsEqualsEqualsToken || kind === TS.SyntaxKind.ExclamationEqualsEqualsToken
}

function isInCondition(node: ts.Node): boolean {
  let child: ts.Node = node
  for (let parent = child.parent; ; child = parent, parent = parent.parent) {
    if (TS.isParenthesizedExpression(parent)) continue
    if (TS.isPrefixUnaryExpression(parent) && parent.operator === TS.SyntaxKind.ExclamationToken) continue
    if (TS.isBinaryExpression(parent) && isLogical(parent.operatorToken.kind)) {
      if (parent.left === child && TS.isExpressionStatement(parent.parent)) return true
      continue
    }
    return (
      (TS.isIfStatement(parent) || TS.isConditionalExpression(parent)) &&
      (TS.isIfStatement(parent) ? parent.expression : parent.condition) === child
    )
  }
}

function isLogical(kind: ts.SyntaxKind): boolean {
  return kind === TS.SyntaxKind.AmpersandAmpersandToken || kind === TS.SyntaxKind.BarBarToken
}

/** Source files of a folder, without packages, what was built, and hidden folders. */
function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return /^(?:node_modules|dist|\..*)$/.test(entry.name) ? [] : sources(path)
    return /\.[cm]?[jt]sx?$/.test(entry.name) ? [path] : []
  })
}
