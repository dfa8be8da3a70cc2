/** Finds the profile in the syntax tree of its file. */
import type ts from 'typescript'
import { TS } from '../../../build/typescript.ts'

/** The object literal of the exported profile: `export const profile`, or else the default export. */
export function profileIn(source: ts.SourceFile): ts.ObjectLiteralExpression | undefined {
  const named = declared(source, 'profile')
  if (named !== undefined) return objectIn(source, named)
  const assignment = source.statements.find((one) => TS.isExportAssignment(one) && one.isExportEquals !== true)
  return assignment === undefined ? undefined : objectIn(source, (assignment as ts.ExportAssignment).expression)
}

function declared(source: ts.SourceFile, name: string): ts.Expression | undefined {
  for (const statement of source.statements) {
    if (!TS.isVariableStatement(statement)) continue
    for (const one of statement.declarationList.declarations) {
      if (TS.isIdentifier(one.name) && one.name.text === name) return one.initializer
    }
  }
  return undefined
}

function objectIn(source: ts.SourceFile, expression: ts.Expression): ts.ObjectLiteralExpression | undefined {
  if (TS.isObjectLiteralExpression(expression)) return expression
  if (
    TS.isAsExpression(expression) ||
    TS.isSatisfiesExpression(expression) ||
    TS.isParenthesizedExpression(expression)
  ) {
    return objectIn(source, expression.expression)
  }
  if (TS.isCallExpression(expression) && expression.arguments.length === 1) {
    return objectIn(source, expression.arguments[0]!)
  }
  if (!TS.isIdentifier(expression)) return undefined
  const value = declared(source, expression.text)
  return value === undefined ? undefined : objectIn(source, value)
}

/** A member of an object literal by its name. */
export function member(list: ts.ObjectLiteralExpression, name: string): ts.PropertyAssignment | undefined {
  return list.properties.find(
    (one): one is ts.PropertyAssignment => TS.isPropertyAssignment(one) && keyOf(one) === name,
  )
}

/** The name of a member; undefined if it is computed or a spread. */
export function keyOf(node: ts.ObjectLiteralElementLike): string | undefined {
  const { name } = node
  return name !== undefined && (TS.isIdentifier(name) || TS.isStringLiteral(name)) ? name.text : undefined
}
