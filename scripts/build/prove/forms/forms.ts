/**
 * Finds code forms that the bundler cannot follow, such as `eval` and computed imports. A file with such a form could
 * load anything at run time, so that the metafile would be incomplete. The feature that brings the file must declare
 * each form in `uses`. Code that hides a form from its own author is not looked for.
 */
import type ts from 'typescript'
import { TS } from '../../typescript.ts'
import { excerpt, freeName } from '../syntax.ts'
import { placeForm, placesIn } from './place.ts'
import type { Form } from './ways.ts'
import { globals, members, useOf } from './ways.ts'

/** Whether the bundler cannot follow a form, given the modules that it followed from the file. */
export function isUnfollowed({ builtin, specifier }: Form, followed: ReadonlySet<string>): boolean {
  if (builtin !== undefined) return useOf(builtin) !== undefined
  return specifier === undefined || !followed.has(specifier)
}

/** Every form in a parsed file. */
export function findForms(source: ts.SourceFile): Form[] {
  const forms: Form[] = []
  const places = placesIn(source)
  const visit = (node: ts.Node): void => {
    const form = formOf(node) ?? placeForm(node, places)
    if (form !== undefined) forms.push({ ...form, at: node.getStart() })
    TS.forEachChild(node, visit)
  }
  visit(source)
  return forms
}

/** A form whose position is not determined yet. */
type UnplacedForm = Omit<Form, 'at'>

function formOf(node: ts.Node): UnplacedForm | undefined {
  if (TS.isImportDeclaration(node) || TS.isExportDeclaration(node)) return ofModule(node, node.moduleSpecifier)
  if (TS.isCallExpression(node)) return ofCall(node)
  if (TS.isPropertyAccessExpression(node)) return ofMember(node, node.name.text)
  if (isTaking(node)) {
    const name = takenName(node)
    return name === undefined ? undefined : ofMember(node, name)
  }
  const free = freeName(node)
  return free === undefined ? undefined : ofFree(node, free)
}

function ofModule(node: ts.Node, specifier: ts.Expression | undefined): UnplacedForm | undefined {
  return specifier !== undefined && TS.isStringLiteralLike(specifier)
    ? ofLoading('import', node, specifier.text)
    : undefined
}

function ofLoading(use: 'import' | 'require', node: ts.Node, specifier: string): UnplacedForm {
  const code = excerpt(node)
  const ofBuiltin = useOf(specifier)
  return ofBuiltin === undefined ? { use, code, specifier } : { use: ofBuiltin, code }
}

function ofCall(node: ts.CallExpression): UnplacedForm | undefined {
  const [first] = node.arguments
  const loads = isImport(node.expression) ? 'import' : freeName(node.expression) === 'require' ? 'require' : undefined
  if (loads !== undefined)
    return first !== undefined && TS.isStringLiteralLike(first)
      ? ofLoading(loads, node, first.text)
      : { use: loads, code: excerpt(node) }
  return isTimer(node.expression) && first !== undefined && isText(first)
    ? { use: 'eval', code: excerpt(node) }
    : undefined
}

/** Whether a callee is that of `import(…)`, `import.source(…)` or `import.defer(…)`. */
function isImport(callee: ts.Expression): boolean {
  const { kind } = TS.isPropertyAccessExpression(callee) ? callee.expression : callee
  return kind === TS.SyntaxKind.ImportKeyword || (TS.isMetaProperty(callee) && callee.name.text !== 'meta')
}

/** Whether a callee is a timer, which runs a text as `eval` does (HTML, timer initialisation steps). */
function isTimer(callee: ts.Expression): boolean {
  const name = TS.isPropertyAccessExpression(callee) ? callee.name.text : freeName(callee)
  return name === 'setTimeout' || name === 'setInterval'
}

/** Whether an expression begins with a literal text. */
function isText(node: ts.Node): boolean {
  if (TS.isStringLiteralLike(node) || TS.isTemplateExpression(node)) return true
  return TS.isBinaryExpression(node) && node.operatorToken.kind === TS.SyntaxKind.PlusToken && isText(node.left)
}

function ofMember(node: ts.PropertyAccessExpression | Taking, name: string): UnplacedForm | undefined {
  if (name === 'binding' && isOnProcess(node)) return { use: 'process', code: excerpt(node.parent) }
  if (!Object.hasOwn(members, name) || isInspected(node)) return undefined
  const code = excerpt(node.parent)
  const builtin = name === 'getBuiltinModule' ? namedBuiltin(node) : undefined
  return builtin === undefined
    ? { use: members[name]!, code }
    : { use: useOf(builtin) ?? members[name]!, code, builtin }
}

function isOnProcess(node: ts.Node): boolean {
  return TS.isPropertyAccessExpression(node) && TS.isIdentifier(node.expression) && node.expression.text === 'process'
}

/** The literal name in `process.getBuiltinModule('node:os')`, or undefined. */
function namedBuiltin(node: ts.Node): string | undefined {
  const call = node.parent
  if (!TS.isCallExpression(call) || call.expression !== node) return undefined
  const [name] = call.arguments
  if (name === undefined || !TS.isStringLiteralLike(name)) return undefined
  return name.text.startsWith('node:') ? name.text : `node:${name.text}`
}

function ofFree(node: ts.Node, free: string): UnplacedForm | undefined {
  if (isInspected(node)) return undefined
  const { parent } = node
  const use = globals[free] ?? (free === 'require' && !isCallee(node) ? 'require' : undefined)
  return use === undefined ? undefined : { use, code: excerpt(parent) }
}

function isCallee(node: ts.Node): boolean {
  return TS.isCallExpression(node.parent) && node.parent.expression === node
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

/** One member of a pattern: `const { a: b } = x` or `({ a: b } = x)`. */
export type Taking = ts.BindingElement | ts.PropertyAssignment | ts.ShorthandPropertyAssignment

/** Whether a node is a member of an object pattern. */
function isTaking(node: ts.Node): node is Taking {
  if (TS.isBindingElement(node)) return TS.isObjectBindingPattern(node.parent)
  return (
    (TS.isPropertyAssignment(node) || TS.isShorthandPropertyAssignment(node)) &&
    isAssignedTo(node.parent as ts.Expression)
  )
}

/** The name of the destructured member; undefined if the name is computed. */
function takenName(node: Taking): string | undefined {
  const named = (TS.isBindingElement(node) ? node.propertyName : undefined) ?? node.name
  const name = TS.isComputedPropertyName(named) ? named.expression : named
  return TS.isIdentifier(name) || TS.isStringLiteralLike(name) ? name.text : undefined
}

/** Whether a literal is the target of an assignment, directly or nested in another literal. */
function isAssignedTo(literal: ts.Expression): boolean {
  const { parent } = literal
  if (TS.isBinaryExpression(parent)) {
    return parent.operatorToken.kind === TS.SyntaxKind.EqualsToken && parent.left === literal
  }
  if (TS.isForOfStatement(parent) || TS.isForInStatement(parent)) return parent.initializer === literal
  if (TS.isPropertyAssignment(parent)) return parent.initializer === literal && isAssignedTo(parent.parent)
  return (TS.isArrayLiteralExpression(parent) || TS.isSpreadElement(parent)) && isAssignedTo(parent as ts.Expression)
}
