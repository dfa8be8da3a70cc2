/** Checks uses of `f.constructor`: the constructor of a function is `Function`, which compiles strings to code. */
import type ts from 'typescript'
import { TS } from '../../typescript.ts'
import { MARK } from '../syntax.ts'
import type { Taking } from './taking.ts'

/**
 * Classifies a use of `f.constructor`. Harmless uses return undefined: reading its name, comparing it, and
 * `new this.constructor()`. A call returns `eval`. A use that passes it on, so that other code can call it, returns
 * `constructor`.
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

/** Members of a function that call it or return it. */
const calls: ReadonlySet<string> = new Set(['call', 'apply', 'bind', 'constructor', 'valueOf'])

/** Whether a call only describes its argument. */
function describes({ expression }: ts.CallExpression | ts.NewExpression): boolean {
  const callee = expression.getText().replaceAll('?', '')
  return callee === `${MARK}Error.captureStackTrace` || callee === `${MARK}Object.prototype.toString.call`
}

/** Whether the value of an expression is unused. */
function isDropped(node: ts.Node): boolean {
  const { parent } = node
  if (TS.isExpressionStatement(parent)) return true
  if (!TS.isBinaryExpression(parent) || parent.operatorToken.kind !== TS.SyntaxKind.CommaToken) return false
  return parent.left === node || isDropped(parent)
}

/** Whether a node is an operand of a comparison, the right side of `instanceof`, or the left side of an assignment. */
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
