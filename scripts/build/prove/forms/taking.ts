/** Where code takes members out of an object by a pattern. */
import type ts from 'typescript'
import { TS } from '../../typescript.ts'

/** One member of `const { a: b } = x` or of `({ a: b } = x)`. */
export type Taking = ts.BindingElement | ts.PropertyAssignment | ts.ShorthandPropertyAssignment

/** Whether a node is such a member. */
export function isTaking(node: ts.Node): node is Taking {
  if (TS.isBindingElement(node)) return TS.isObjectBindingPattern(node.parent)
  return (
    (TS.isPropertyAssignment(node) || TS.isShorthandPropertyAssignment(node)) &&
    isAssignedTo(node.parent as ts.Expression)
  )
}

/** The name of the member that is taken; undefined where it is computed. */
export function takenName(node: Taking): string | undefined {
  const named = (TS.isBindingElement(node) ? node.propertyName : undefined) ?? node.name
  const name = TS.isComputedPropertyName(named) ? named.expression : named
  return TS.isIdentifier(name) || TS.isStringLiteralLike(name) ? name.text : undefined
}

/** Whether a literal stands where something is assigned to it, itself or within another such literal. */
function isAssignedTo(literal: ts.Expression): boolean {
  const { parent } = literal
  if (TS.isBinaryExpression(parent)) {
    return parent.operatorToken.kind === TS.SyntaxKind.EqualsToken && parent.left === literal
  }
  if (TS.isForOfStatement(parent) || TS.isForInStatement(parent)) return parent.initializer === literal
  if (TS.isPropertyAssignment(parent)) return parent.initializer === literal && isAssignedTo(parent.parent)
  return (TS.isArrayLiteralExpression(parent) || TS.isSpreadElement(parent)) && isAssignedTo(parent as ts.Expression)
}

/** `const { a, b } = X`, by plain names, which are judged one by one. */
export function isTakenApart(node: ts.Node): boolean {
  const { parent } = node
  if (!TS.isVariableDeclaration(parent) || parent.initializer !== node) return false
  if (!TS.isObjectBindingPattern(parent.name)) return false
  return parent.name.elements.every(
    ({ dotDotDotToken, propertyName }) =>
      dotDotDotToken === undefined && (propertyName === undefined || !TS.isComputedPropertyName(propertyName)),
  )
}
