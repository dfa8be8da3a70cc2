/** Where code takes members out of an object by a pattern. */
import ts from 'typescript'

/** One member of `const { a: b } = x` or of `({ a: b } = x)`. */
export type Taking = ts.BindingElement | ts.PropertyAssignment | ts.ShorthandPropertyAssignment

/** Whether a node is such a member. */
export function isTaking(node: ts.Node): node is Taking {
  if (ts.isBindingElement(node)) return ts.isObjectBindingPattern(node.parent)
  return (
    (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) &&
    isAssignedTo(node.parent as ts.Expression)
  )
}

/** Whether a literal stands where something is assigned to it, itself or within another such literal. */
function isAssignedTo(literal: ts.Expression): boolean {
  const { parent } = literal
  if (ts.isBinaryExpression(parent)) {
    return parent.operatorToken.kind === ts.SyntaxKind.EqualsToken && parent.left === literal
  }
  if (ts.isForOfStatement(parent) || ts.isForInStatement(parent)) return parent.initializer === literal
  if (ts.isPropertyAssignment(parent)) return parent.initializer === literal && isAssignedTo(parent.parent)
  return (ts.isArrayLiteralExpression(parent) || ts.isSpreadElement(parent)) && isAssignedTo(parent as ts.Expression)
}

/** `const { a, b } = X`, by plain names, which are judged one by one. */
export function isTakenApart(node: ts.Node): boolean {
  const { parent } = node
  if (!ts.isVariableDeclaration(parent) || parent.initializer !== node) return false
  if (!ts.isObjectBindingPattern(parent.name)) return false
  return parent.name.elements.every(
    ({ dotDotDotToken, propertyName }) =>
      dotDotDotToken === undefined && (propertyName === undefined || !ts.isComputedPropertyName(propertyName)),
  )
}
