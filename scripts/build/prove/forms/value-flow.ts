/**
 * Finds the expressions of a file that can be the value of a variable or of a member. TypeScript's symbols distinguish
 * variables with the same name in different functions. Members are distinguished by name only, not by object.
 */
import type ts from 'typescript'
import { TS } from '../../typescript.ts'
import { isTaking, type Taking, takenName } from './taking.ts'

/** An expression, or a member of a destructuring pattern. */
export type Origin = ts.Expression | Taking

/** Finds all origins of an expression's value, including the expression itself. */
export type OriginsOf = (node: ts.Expression) => Iterable<Origin>

/** Creates the analysis of a file, which runs on the first query. */
export function createValueFlow(source: ts.SourceFile): OriginsOf {
  let values: Values | undefined
  return (node) => {
    values ??= readValues(source)
    const origins = new Set<Origin>([node])
    // A Set iterator also visits elements that are added during the iteration.
    for (const origin of origins) for (const from of sourcesOf(origin, values)) origins.add(from)
    return origins
  }
}

/** The values that a file assigns to its variables and members. */
interface Values {
  ofVariable(name: ts.Identifier): readonly Origin[]
  ofMember(name: string): readonly Origin[]
  functionOf(callee: ts.Expression): ts.SignatureDeclaration | undefined
}

/** The direct sources of an expression's value. */
function sourcesOf(node: Origin, values: Values): readonly Origin[] {
  if (isTaking(node)) return values.ofMember(takenName(node) ?? '')
  if (TS.isIdentifier(node)) return values.ofVariable(node)
  if (TS.isPropertyAccessExpression(node)) return values.ofMember(node.name.text)
  if (TS.isParenthesizedExpression(node)) return [node.expression]
  if (TS.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse]
  if (TS.isBinaryExpression(node)) return isPassing(node.operatorToken.kind) ? [node.left, node.right] : []
  if (!TS.isCallExpression(node)) return []
  const callee = node.expression
  // Calling the result of `f.bind(x)` calls `f`.
  if (TS.isPropertyAccessExpression(callee) && callee.name.text === 'bind') return [callee.expression]
  const called = values.functionOf(callee)
  return called === undefined ? [] : resultsOf(called)
}

/** Whether the result of an operator can be one of its operands. */
function isPassing(kind: ts.SyntaxKind): boolean {
  const kinds = TS.SyntaxKind
  return (
    kind === kinds.CommaToken ||
    kind === kinds.AmpersandAmpersandToken ||
    kind === kinds.BarBarToken ||
    kind === kinds.QuestionQuestionToken ||
    kind === kinds.EqualsToken
  )
}

/** Whether an operator assigns its right operand to its left operand. */
function isAssigning(kind: ts.SyntaxKind): boolean {
  const kinds = TS.SyntaxKind
  return (
    kind === kinds.EqualsToken ||
    kind === kinds.AmpersandAmpersandEqualsToken ||
    kind === kinds.BarBarEqualsToken ||
    kind === kinds.QuestionQuestionEqualsToken
  )
}

/** The expressions that a function returns. */
function resultsOf(called: ts.SignatureDeclaration): ts.Expression[] {
  const body = 'body' in called ? called.body : undefined
  if (body === undefined) return []
  if (TS.isExpression(body)) return [body]
  const results: ts.Expression[] = []
  const visit = (node: ts.Node): void => {
    if (TS.isFunctionLike(node)) return
    if (TS.isReturnStatement(node) && node.expression !== undefined) results.push(node.expression)
    TS.forEachChild(node, visit)
  }
  visit(body)
  return results
}

function readValues(source: ts.SourceFile): Values {
  const checker = checkerOf(source)
  const variables = new Map<ts.Symbol, Origin[]>()
  const members = new Map<string, Origin[]>()
  const symbolOf = (name: ts.Identifier): ts.Symbol | undefined =>
    TS.isShorthandPropertyAssignment(name.parent)
      ? checker.getShorthandAssignmentValueSymbol(name.parent)
      : checker.getSymbolAtLocation(name)
  const functionOf: Values['functionOf'] = (callee) => {
    if (TS.isParenthesizedExpression(callee)) return functionOf(callee.expression)
    if (TS.isFunctionLike(callee)) return callee
    const declared = TS.isIdentifier(callee) ? symbolOf(callee)?.valueDeclaration : undefined
    if (declared === undefined || TS.isFunctionLike(declared)) return declared
    return TS.isVariableDeclaration(declared) && declared.initializer !== undefined
      ? functionOf(declared.initializer)
      : undefined
  }
  const give = (to: ts.Node, value: Origin | undefined): void => {
    if (value === undefined) return
    if (TS.isIdentifier(to)) append(variables, symbolOf(to), value)
    else if (TS.isPropertyAccessExpression(to)) append(members, to.name.text, value)
  }
  const visit = (node: ts.Node): void => {
    if (TS.isVariableDeclaration(node) || TS.isParameter(node)) give(node.name, node.initializer)
    else if (isTaking(node)) {
      const target = TS.isPropertyAssignment(node) ? node.initializer : node.name
      give(TS.isBinaryExpression(target) ? target.left : target, node)
      if (TS.isBindingElement(node)) give(node.name, node.initializer)
    } else if (TS.isPropertyAssignment(node) || TS.isPropertyDeclaration(node)) {
      if (node.initializer !== undefined) append(members, nameIn(node.name), node.initializer)
    } else if (TS.isShorthandPropertyAssignment(node)) append(members, node.name.text, node.name)
    else if (TS.isBinaryExpression(node) && isAssigning(node.operatorToken.kind)) give(node.left, node.right)
    else if (TS.isCallExpression(node)) {
      const parameters = functionOf(node.expression)?.parameters ?? []
      for (const [index, { name }] of parameters.entries()) give(name, node.arguments[index])
    }
    TS.forEachChild(node, visit)
  }
  visit(source)
  return {
    ofVariable: (name) => {
      const symbol = symbolOf(name)
      return (symbol && variables.get(symbol)) ?? []
    },
    ofMember: (name) => members.get(name) ?? [],
    functionOf,
  }
}

function append<Key>(to: Map<Key, Origin[]>, key: Key | undefined, value: Origin): void {
  if (key === undefined) return
  const values = to.get(key)
  if (values === undefined) to.set(key, [value])
  else values.push(value)
}

function nameIn(name: ts.PropertyName): string | undefined {
  return TS.isIdentifier(name) || TS.isStringLiteralLike(name) ? name.text : undefined
}

/** Creates a type checker for one parsed file. It reads nothing from the disk. */
function checkerOf(source: ts.SourceFile): ts.TypeChecker {
  const options: ts.CompilerOptions = { allowJs: true, noLib: true, noResolve: true, types: [] }
  const host: ts.CompilerHost = {
    getSourceFile: (name) => (name === source.fileName ? source : undefined),
    fileExists: (name) => name === source.fileName,
    readFile: () => undefined,
    writeFile: () => undefined,
    getDefaultLibFileName: () => '',
    getCurrentDirectory: () => '/',
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
  }
  return TS.createProgram({ rootNames: [source.fileName], options, host }).getTypeChecker()
}
