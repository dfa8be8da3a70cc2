/**
 * Forms by which code reaches what the bundler cannot follow. A file that contains one could bring anything at run time, so
 * that the account of the bundle would say little: each has to be declared in `uses` of the feature that brings the file.
 */
import ts from 'typescript'
import type { Use } from '../../../core/feature.ts'
import { excerpt, freeName } from './syntax.ts'

/** One form in one file. */
export interface Form {
  readonly use: Use
  /** The code, shortened. */
  readonly code: string
  /** The built-in, where the form is `process.getBuiltinModule` with a name that can be read. */
  readonly builtin?: string
  /**
   * The module, where one is loaded by its plain name. That is a form only where the bundler did not see it: a name may have
   * become plain by folding, after the imports were followed.
   */
  readonly specifier?: string
}

/** Whether the bundler cannot follow a form, given the modules that it did follow out of the file. */
export function isUnfollowed({ builtin, specifier }: Form, followed: ReadonlySet<string>): boolean {
  return builtin === undefined && (specifier === undefined || !followed.has(specifier))
}

/** Built-ins that load, run or start code; to import one is the form. */
const modules: Readonly<Record<string, Use>> = {
  module: 'require',
  vm: 'eval',
  repl: 'eval',
  inspector: 'eval',
  'inspector/promises': 'eval',
  worker_threads: 'worker',
  process: 'process',
  wasi: 'wasm',
  child_process: 'spawn',
  cluster: 'spawn',
}

/** Members that lead to code, on whatever object they are asked for: the object may be an alias. */
const members: Readonly<Record<string, Use>> = {
  eval: 'eval',
  Function: 'eval',
  createRequire: 'require',
  _load: 'require',
  _compile: 'require',
  _extensions: 'require',
  _resolveFilename: 'require',
  binding: 'process',
  _linkedBinding: 'process',
  dlopen: 'addon',
  mainModule: 'require',
  getBuiltinModule: 'process',
  require: 'require',
  loadExtension: 'addon',
  execve: 'spawn',
  ShadowRealm: 'eval',
  Worker: 'worker',
  serviceWorker: 'worker',
  addModule: 'worker',
  WebAssembly: 'wasm',
}

/** Globals whose mere mention is a form. */
const globals: Partial<Record<string, Use>> = {
  eval: 'eval',
  Function: 'eval',
  ShadowRealm: 'eval',
  Worker: 'worker',
  SharedWorker: 'worker',
  importScripts: 'worker',
  WebAssembly: 'wasm',
}

/** Every form in a parsed file. */
export function findForms(source: ts.SourceFile): Form[] {
  const found: Form[] = []
  const visit = (node: ts.Node): void => {
    const form = formOf(node)
    if (form !== undefined) found.push(form)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function formOf(node: ts.Node): Form | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return ofModule(node, node.moduleSpecifier)
  if (ts.isCallExpression(node)) return ofCall(node)
  if (ts.isPropertyAccessExpression(node)) return ofMember(node, node.name.text)
  if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
    const named = node.propertyName ?? node.name
    const name = ts.isComputedPropertyName(named) ? named.expression : named
    return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? ofMember(node, name.text) : undefined
  }
  const free = freeName(node)
  return free === undefined ? undefined : ofFree(node as ts.Identifier, free)
}

function ofModule(node: ts.Node, specifier: ts.Expression | undefined): Form | undefined {
  return specifier !== undefined && ts.isStringLiteralLike(specifier) ? ofBuiltin(node, specifier.text) : undefined
}

function ofBuiltin(node: ts.Node, specifier: string): Form | undefined {
  const use = modules[specifier.replace(/^node:/, '')]
  return use === undefined ? undefined : { use, code: excerpt(node) }
}

function ofLoading(use: 'import' | 'require', node: ts.Node, specifier: string): Form {
  return ofBuiltin(node, specifier) ?? { use, code: excerpt(node), specifier }
}

function ofCall(node: ts.CallExpression): Form | undefined {
  const [first] = node.arguments
  const literal = first !== undefined && ts.isStringLiteralLike(first)
  if (node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return literal ? ofLoading('import', node, first.text) : { use: 'import', code: excerpt(node) }
  }
  const free = freeName(node.expression)
  if (free === 'require')
    return literal ? ofLoading('require', node, first.text) : { use: 'require', code: excerpt(node) }
  const isTimer = free === 'setTimeout' || free === 'setInterval'
  return isTimer && first !== undefined && isText(first) ? { use: 'eval', code: excerpt(node) } : undefined
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)
}

function ofMember(node: ts.PropertyAccessExpression | ts.BindingElement, name: string): Form | undefined {
  if (name === 'constructor') return isFunctionConstructor(node) ? { use: 'eval', code: excerpt(node) } : undefined
  if (!Object.hasOwn(members, name)) return undefined
  const builtin = name === 'getBuiltinModule' ? namedBuiltin(node) : undefined
  const use = members[name]!
  return builtin === undefined ? { use, code: excerpt(node.parent) } : { use, code: excerpt(node.parent), builtin }
}

/** The name in `process.getBuiltinModule('node:os')`. */
function namedBuiltin(node: ts.Node): string | undefined {
  const call = node.parent
  if (!ts.isCallExpression(call) || call.expression !== node) return undefined
  const [name] = call.arguments
  if (name === undefined || !ts.isStringLiteralLike(name)) return undefined
  return name.text.startsWith('node:') ? name.text : `node:${name.text}`
}

/**
 * `f.constructor` makes functions of text where `f` is one, so it may be asked for its name, compared, and told to make more
 * of its own kind (`new this.constructor()`), but neither be called nor be handed on.
 */
function isFunctionConstructor(node: ts.PropertyAccessExpression | ts.BindingElement): boolean {
  if (ts.isBindingElement(node)) return true
  const { expression, parent } = node
  if (ts.isNewExpression(parent)) return expression.kind !== ts.SyntaxKind.ThisKeyword
  if (ts.isPropertyAccessExpression(parent)) return parent.name.text === 'constructor'
  if (ts.isBinaryExpression(parent))
    return parent.operatorToken.kind === ts.SyntaxKind.EqualsToken && parent.right === node
  // What these two are given they only describe.
  if (ts.isCallExpression(parent) && parent.expression !== node) {
    return !/\b(?:captureStackTrace|toString\.call)$/.test(parent.expression.getText())
  }
  return !(ts.isTypeOfExpression(parent) || ts.isExpressionStatement(parent))
}

function ofFree(node: ts.Identifier, free: string): Form | undefined {
  const { parent } = node
  const form = (use: Use): Form => ({ use, code: excerpt(parent) })
  if (isAskedAbout(node)) return undefined
  const direct = globals[free]
  if (direct !== undefined) return form(direct)
  if (isTakenApart(node)) return undefined
  const member = ts.isPropertyAccessExpression(parent) && parent.expression === node ? parent.name.text : undefined
  switch (free) {
    case 'require':
      return ts.isCallExpression(parent) && parent.expression === node ? undefined : form('require')
    case 'module':
      return member === 'exports' ? undefined : form('require')
    case 'process':
      return member === undefined ? form('process') : undefined
    case 'globalThis':
    case 'global':
    case 'window':
    case 'self':
      return member === undefined ? form('global') : undefined
    default:
      return undefined
  }
}

/** `typeof X`, `'x' in X`, `y instanceof X`, `X.prototype`, and `X = …`, which gives nothing away. */
function isAskedAbout(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isTypeOfExpression(parent)) return true
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node && parent.name.text === 'prototype'
  if (!ts.isBinaryExpression(parent)) return false
  const { kind } = parent.operatorToken
  if (kind === ts.SyntaxKind.EqualsToken) return parent.left === node
  return parent.right === node && (kind === ts.SyntaxKind.InKeyword || kind === ts.SyntaxKind.InstanceOfKeyword)
}

/** `const { a, b } = X`, by plain names, which are judged one by one. */
function isTakenApart(node: ts.Identifier): boolean {
  const { parent } = node
  if (!ts.isVariableDeclaration(parent) || parent.initializer !== node) return false
  if (!ts.isObjectBindingPattern(parent.name)) return false
  return parent.name.elements.every(
    ({ dotDotDotToken, propertyName }) =>
      dotDotDotToken === undefined && (propertyName === undefined || !ts.isComputedPropertyName(propertyName)),
  )
}
