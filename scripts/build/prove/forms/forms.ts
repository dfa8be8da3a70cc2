/**
 * Finds code forms that the bundler cannot follow, such as `eval` and computed imports. A file with such a form could
 * load anything at run time, so that the metafile would be incomplete. The feature that brings the file must declare
 * each form in `uses`.
 */
import type ts from 'typescript'
import type { Use } from '../../../../core/feature.ts'
import { TS } from '../../typescript.ts'
import { excerpt, freeName } from '../syntax.ts'
import { useOfConstructor } from './function-constructor.ts'
import { isTakenApart, isTaking, type Taking, takenName } from './taking.ts'
import { type GivesTimerText, timersIn } from './timers.ts'
import { globalObjects, globals, members, useOf } from './ways.ts'

/** One form in one file. */
export interface Form {
  readonly use: Use
  /** The code, shortened. */
  readonly code: string
  /** The built-in, if the form is `process.getBuiltinModule` with a literal name. */
  readonly builtin?: string
  /**
   * The module, if the form loads it by a literal name. This is a form only if the bundler did not follow the import: a
   * name can become literal by folding, after the bundler has followed the imports, and the bundler follows no imports
   * of assets.
   */
  readonly specifier?: string
}

/** Whether the bundler cannot follow a form, given the modules that it followed from the file. */
export function isUnfollowed({ builtin, specifier }: Form, followed: ReadonlySet<string>): boolean {
  if (builtin !== undefined) return useOf(builtin) !== undefined
  return specifier === undefined || !followed.has(specifier)
}

/** Every form in a parsed file. */
export function findForms(source: ts.SourceFile): Form[] {
  const found: Form[] = []
  const givesTimerText = timersIn(source)
  const visit = (node: ts.Node): void => {
    const form = formOf(node, givesTimerText)
    if (form !== undefined) found.push(form)
    TS.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function formOf(node: ts.Node, givesTimerText: GivesTimerText): Form | undefined {
  if (TS.isImportDeclaration(node) || TS.isExportDeclaration(node)) return ofModule(node, node.moduleSpecifier)
  if (TS.isCallExpression(node)) return ofCall(node, givesTimerText)
  if (TS.isPropertyAccessExpression(node)) return ofMember(node, node.name.text)
  if (isTaking(node)) {
    const name = takenName(node)
    return name === undefined ? undefined : ofMember(node, name)
  }
  const free = freeName(node)
  return free === undefined ? undefined : ofFree(node as ts.Identifier, free)
}

function ofModule(node: ts.Node, specifier: ts.Expression | undefined): Form | undefined {
  return specifier !== undefined && TS.isStringLiteralLike(specifier)
    ? ofLoading('import', node, specifier.text)
    : undefined
}

function ofBuiltin(node: ts.Node, specifier: string): Form | undefined {
  const use = useOf(specifier)
  return use === undefined ? undefined : { use, code: excerpt(node) }
}

function ofLoading(use: 'import' | 'require', node: ts.Node, specifier: string): Form {
  return ofBuiltin(node, specifier) ?? { use, code: excerpt(node), specifier }
}

function ofCall(node: ts.CallExpression, givesTimerText: GivesTimerText): Form | undefined {
  const [first] = node.arguments
  const form = (use: Use): Form => ({ use, code: excerpt(node) })
  if (isImport(node.expression)) {
    return first !== undefined && TS.isStringLiteralLike(first) ? ofLoading('import', node, first.text) : form('import')
  }
  const free = freeName(node.expression)
  if (free === 'require') {
    return first !== undefined && TS.isStringLiteralLike(first)
      ? ofLoading('require', node, first.text)
      : form('require')
  }
  // `Reflect.get(f, 'constructor')`, and the same call under any other name.
  if (node.arguments.some((argument) => TS.isStringLiteralLike(argument) && argument.text === 'constructor'))
    return form('constructor')
  return givesTimerText(node) ? form('eval') : undefined
}

/** Whether a callee is that of `import(…)`, `import.source(…)` or `import.defer(…)`. */
function isImport(callee: ts.Expression): boolean {
  const { kind } = TS.isPropertyAccessExpression(callee) ? callee.expression : callee
  return kind === TS.SyntaxKind.ImportKeyword || (TS.isMetaProperty(callee) && callee.name.text !== 'meta')
}

function isGlobalObject(node: ts.Node): boolean {
  const free = freeName(node)
  if (free !== undefined) return globalObjects.has(free)
  return TS.isPropertyAccessExpression(node) && globalObjects.has(node.name.text) && isGlobalObject(node.expression)
}

function ofMember(node: ts.PropertyAccessExpression | Taking, name: string): Form | undefined {
  if (name === 'constructor') {
    const use = useOfConstructor(node)
    return use === undefined ? undefined : { use, code: excerpt(node.parent) }
  }
  const ofGlobal = ofGlobalMember(node, name)
  if (ofGlobal !== undefined || !Object.hasOwn(members, name)) return ofGlobal
  const builtin = name === 'getBuiltinModule' ? namedBuiltin(node) : undefined
  const code = excerpt(node.parent)
  return builtin === undefined
    ? { use: members[name]!, code }
    : { use: useOf(builtin) ?? members[name]!, code, builtin }
}

/**
 * `globalThis.process` is the same as `process`. Destructuring such a member from the global object gives it another
 * name, which is a form too.
 */
function ofGlobalMember(node: ts.PropertyAccessExpression | Taking, name: string): Form | undefined {
  if (!globalObjects.has(name) && name !== 'process' && name !== 'module') return undefined
  if (TS.isPropertyAccessExpression(node)) return isGlobalObject(node.expression) ? ofFree(node, name) : undefined
  const declaration = node.parent.parent
  const from = TS.isVariableDeclaration(declaration) ? declaration.initializer : undefined
  if (from === undefined || !isGlobalObject(from)) return undefined
  return { use: name === 'process' ? 'process' : 'global', code: excerpt(declaration) }
}

/** The literal name in `process.getBuiltinModule('node:os')`, or undefined. */
function namedBuiltin(node: ts.Node): string | undefined {
  const call = node.parent
  if (!TS.isCallExpression(call) || call.expression !== node) return undefined
  const [name] = call.arguments
  if (name === undefined || !TS.isStringLiteralLike(name)) return undefined
  return name.text.startsWith('node:') ? name.text : `node:${name.text}`
}

function ofFree(node: ts.Identifier | ts.PropertyAccessExpression, free: string): Form | undefined {
  const { parent } = node
  const form = (use: Use): Form => ({ use, code: excerpt(parent) })
  if (isInspected(node)) return undefined
  const direct = globals[free]
  if (direct !== undefined) return form(direct)
  if (isTakenApart(node)) return undefined
  const member = TS.isPropertyAccessExpression(parent) && parent.expression === node ? parent.name.text : undefined
  if (globalObjects.has(free)) return member === undefined ? form('global') : undefined
  switch (free) {
    case 'require':
      return TS.isCallExpression(parent) && parent.expression === node ? undefined : form('require')
    case 'module':
      return member === 'exports' ? undefined : form('require')
    case 'process':
      return member === undefined ? form('process') : undefined
    default:
      return undefined
  }
}

/** Whether code only inspects or overwrites X: `typeof X`, `'x' in X`, `y instanceof X`, `X.prototype` or `X = …`. */
function isInspected(node: ts.Node): boolean {
  const { parent } = node
  if (TS.isTypeOfExpression(parent)) return true
  if (TS.isPropertyAccessExpression(parent)) return parent.expression === node && parent.name.text === 'prototype'
  if (!TS.isBinaryExpression(parent)) return false
  const { kind } = parent.operatorToken
  if (kind === TS.SyntaxKind.EqualsToken) return parent.left === node
  return parent.right === node && (kind === TS.SyntaxKind.InKeyword || kind === TS.SyntaxKind.InstanceOfKeyword)
}
