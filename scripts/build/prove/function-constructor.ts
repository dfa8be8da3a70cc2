/** Every function leads to the one that makes functions of text. */
import ts from 'typescript'
import { MARK } from './syntax.ts'
import type { Taking } from './taking.ts'

/**
 * What is done with `f.constructor`, which makes functions of text where `f` is a function. It may be asked for its name,
 * compared, and told to make more of its own kind (`new this.constructor()`). To call it is `eval`; to hand it on, so that
 * it may be called elsewhere, `constructor`.
 */
export function useOfConstructor(node: ts.PropertyAccessExpression | Taking): 'eval' | 'constructor' | undefined {
  if (!ts.isPropertyAccessExpression(node)) return 'constructor'
  const { expression, parent } = node
  if (ts.isTypeOfExpression(parent) || isDropped(node)) return undefined
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) {
    if (parent.expression !== node) return describes(parent) ? undefined : 'constructor'
    const isOwnKind = ts.isNewExpression(parent) && expression.kind === ts.SyntaxKind.ThisKeyword
    return isOwnKind ? undefined : 'eval'
  }
  if (ts.isTaggedTemplateExpression(parent)) return 'eval'
  if (ts.isPropertyAccessExpression(parent)) return calls.has(parent.name.text) ? 'eval' : undefined
  return ts.isBinaryExpression(parent) && isHarmless(parent, node) ? undefined : 'constructor'
}

/** Members of a function that call it, or give it to whoever asks. */
const calls: ReadonlySet<string> = new Set(['call', 'apply', 'bind', 'constructor', 'valueOf'])

/** What these are given they only describe. */
function describes({ expression }: ts.CallExpression | ts.NewExpression): boolean {
  const callee = expression.getText().replaceAll('?', '')
  return callee === `${MARK}Error.captureStackTrace` || callee === `${MARK}Object.prototype.toString.call`
}

/** Whether the value of an expression goes nowhere. */
function isDropped(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isExpressionStatement(parent)) return true
  if (!ts.isBinaryExpression(parent) || parent.operatorToken.kind !== ts.SyntaxKind.CommaToken) return false
  return parent.left === node || isDropped(parent)
}

/** A comparison, the right side of `instanceof`, the left side of an assignment. */
function isHarmless({ operatorToken: { kind }, left, right }: ts.BinaryExpression, node: ts.Node): boolean {
  switch (kind) {
    case ts.SyntaxKind.EqualsEqualsEqualsToken:
    case ts.SyntaxKind.ExclamationEqualsEqualsToken:
    case ts.SyntaxKind.EqualsEqualsToken:
    case ts.SyntaxKind.ExclamationEqualsToken:
      return true
    case ts.SyntaxKind.InstanceOfKeyword:
      return right === node
    case ts.SyntaxKind.EqualsToken:
      return left === node
    default:
      return false
  }
}
