/** Recognizes destructuring of objects. */
import type ts from 'typescript'
import { TS } from '../../typescript.ts'

/** One member of a pattern: `const { a: b } = x` or `({ a: b } = x)`. */
export type Taking = ts.BindingElement | ts.PropertyAssignment | ts.ShorthandPropertyAssignment

/** Whether a node is a member of an object pattern. */
export function isTaking(node: ts.Node): node is Taking {
  if (TS.isBindingElement(node)) return TS.isObjectBindingPattern(node.parent)
  return (
    (TS.isPropertyAssignment(node) || TS.isShorthandPropertyAssignment(node)) &&
    isAssignedTo(node.parent as ts.Expression)
  )
}

/** The name of the destructured member; undefined if the name is computed. */
export function takenName(node: Taking): string | undefined {
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
