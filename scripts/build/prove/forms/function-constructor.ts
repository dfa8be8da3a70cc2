/** Every function leads to the one that makes functions of text. */
import type ts from 'typescript'
import { TS } from '../../typescript.ts'
import { MARK } from '../syntax.ts'
import type { Taking } from './taking.ts'

/**
 * What is done with `f.constructor`, which makes functions of text where `f` is a function. It may be asked for its name,
 * compared, and told to make more of its own kind (`new this.constructor()`). To call it is `eval`; to hand it on, so that
 * it may be called elsewhere, `constructor`.
 */
export function useOfConstructor(node: ts.PropertyAccessExpression | Taking): 'eval' | 'constructor' | undefined {
  if (!TS.isPropertyAccessExpression(node)) return 'constructor'
  const { expression, parent } = node
  if (TS.isTypeOfExpression(parent) || isDropped(node)) return undefined
  if (TS.isCallExpression(parent) || TS.isNewExpression(parent)) {
    if (parent.expression !== node) return describes(parent) ? undefined : 'constructor'
    const isOwnKind = TS.isNewExpression(parent) && expression.kind === TS.SyntaxKind.ThisKeyword
    return isOwnKind ? undefined : 'eval'
  }
  if (TS.isTaggedTemplateExpression(parent)) return 'eval'
  if (TS.isPropertyAccessExpression(parent)) return calls.has(parent.name.text) ? 'eval' : undefined
  return TS.isBinaryExpression(parent) && isHarmless(parent, node) ? undefined : 'constructor'
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
  if (TS.isExpressionStatement(parent)) return true
  if (!TS.isBinaryExpression(parent) || parent.operatorToken.kind !== TS.SyntaxKind.CommaToken) return false
  return parent.left === node || isDropped(parent)
}

/** A comparison, the right side of `instanceof`, the left side of an assignment. */
function isHarmless({ operatorToken: { kind }, left, right }: ts.BinaryExpression, node: ts.Node): boolean {
  switch (kind) {
    case TS.SyntaxKind.EqualsEqualsEqualsToken:
    case TS.SyntaxKind.ExclamationEqualsEqualsToken:
    case TS.SyntaxKind.EqualsEqualsToken:
    case TS.SyntaxKind.ExclamationEqualsToken:
      return true
    case TS.SyntaxKind.InstanceOfKeyword:
      return right === node
    case TS.SyntaxKind.EqualsToken:
      return left === node
    default:
      return false
  }
}
