/**
 * Checks the flags of the matrix against the code. A flag works only as a bare identifier directly in a condition: any
 * alias of it (a constant, a property, a re-export) comes too late for the bundler, which has followed the imports of the
 * dead branch by then. So everything else is refused here.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import type { Feature } from '../../core/feature.ts'
import type { Problem } from './errors.ts'
import { folderOf, root, shown } from './paths.ts'

const FLAG = /^__[A-Z][A-Z0-9_]*__$/

/** One place where a flag stands. */
export interface FlagUse {
  readonly flag: string
  /** `file:line`. */
  readonly place: string
  /** Whether it stands directly in a condition. */
  readonly inCondition: boolean
}

/** What is wrong with the flags of a set of features; `base` is the folder of the profile. */
export function checkFlags(known: Readonly<Record<string, Feature>>, base: string): Problem[] {
  const declared = new Set(Object.values(known).flatMap(({ flag }) => (flag === undefined ? [] : [flag])))
  const folders = new Set([join(root, 'core'), join(root, 'plugins')])
  for (const { plugin } of Object.values(known)) {
    const modules = typeof plugin === 'string' ? [plugin] : Object.values(plugin ?? {})
    for (const module of modules) {
      const folder = folderOf(module)
      if (!folder.startsWith(join(root, 'plugins'))) folders.add(folder)
    }
  }
  const uses = [...folders]
    .flatMap((folder) => sources(folder))
    .flatMap((file) => flagUses(readFileSync(file, 'utf8'), shown(file, base)))
  return judgeFlags(declared, uses)
}

/** The verdict on uses of flags, given those that are declared. */
export function judgeFlags(declared: ReadonlySet<string>, uses: readonly FlagUse[]): Problem[] {
  const problems: Problem[] = []
  for (const { flag, place, inCondition } of uses) {
    if (!declared.has(flag)) {
      const hint = 'Declare it as `flag` of a feature; an undeclared flag fails only when it runs.'
      problems.push({ code: 'ERR_FLAG_UNDECLARED', message: `${place}: no feature declares ${flag}.`, hint })
    } else if (!inCondition) {
      const hint = `Write \`if (${flag}) …\` or \`${flag} ? … : …\` where it is needed; through an alias the dead branch stays in the bundle.`
      problems.push({ code: 'ERR_FLAG_ALIASED', message: `${place}: ${flag} does not stand in a condition.`, hint })
    }
  }
  const used = new Set(uses.map(({ flag }) => flag))
  for (const flag of declared) {
    if (used.has(flag)) continue
    const hint = 'Take `flag` out of the feature that declares it.'
    problems.push({ code: 'ERR_FLAG_UNUSED', message: `No code branches on ${flag}.`, hint })
  }
  return problems
}

/** Every use of a flag in a source text. */
export function flagUses(text: string, name: string): FlagUse[] {
  if (!/__[A-Z]/.test(text)) return []
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
  const uses: FlagUse[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && FLAG.test(node.text) && !isDeclaration(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart())
      uses.push({ flag: node.text, place: `${name}:${line + 1}`, inCondition: standsInCondition(node) })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return uses
}

/** `declare const __X__: boolean` says what the bundler will put there. */
function isDeclaration(node: ts.Identifier): boolean {
  const { parent } = node
  if (!ts.isVariableDeclaration(parent) || parent.name !== node) return false
  const statement = parent.parent.parent
  return (
    ts.isVariableStatement(statement) &&
    (statement.modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword)
  )
}

function standsInCondition(node: ts.Node): boolean {
  let child: ts.Node = node
  for (let parent = child.parent; ; child = parent, parent = parent.parent) {
    if (ts.isParenthesizedExpression(parent)) continue
    if (ts.isPrefixUnaryExpression(parent) && parent.operator === ts.SyntaxKind.ExclamationToken) continue
    if (ts.isBinaryExpression(parent) && isLogical(parent.operatorToken.kind)) {
      if (parent.left === child && ts.isExpressionStatement(parent.parent)) return true
      continue
    }
    return (
      (ts.isIfStatement(parent) || ts.isConditionalExpression(parent)) &&
      (ts.isIfStatement(parent) ? parent.expression : parent.condition) === child
    )
  }
}

function isLogical(kind: ts.SyntaxKind): boolean {
  return kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken
}

/** Source files of a folder, without what packages and tools keep in it. */
function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' || entry.name.startsWith('.') ? [] : sources(path)
    return /\.[cm]?[jt]sx?$/.test(entry.name) ? [path] : []
  })
}
