/**
 * Which expressions of a file may be the value of a variable or of a member. TypeScript's symbols distinguish variables of one name in
 * two functions. Members are distinguished by name only, whatever object they belong to.
 */
import type ts from 'typescript'
import { TS } from '../../typescript.ts'
import { isTaking, type Taking, takenName } from './taking.ts'

/** An expression, or the place of a pattern where a member is taken out of an object. */
export type Origin = ts.Expression | Taking

/** Finds everything that may be the value of an expression, the expression itself included. */
export type OriginsOf = (node: ts.Expression) => Iterable<Origin>

/** Reads a file when it is first asked about. */
export function createValueFlow(source: ts.SourceFile): OriginsOf {
  let values: Values | undefined
  return (node) => {
    values ??= readValues(source)
    const origins = new Set<Origin>([node])
    // What is added to a set while it is walked is walked as well.
    for (const origin of origins) for (const from of sourcesOf(origin, values)) origins.add(from)
    return origins
  }
}

/** What the variables and the members of a file are given. */
interface Values {
  ofVariable(name: ts.Identifier): readonly Origin[]
  ofMember(name: string): readonly Origin[]
  functionOf(callee: ts.Expression): ts.SignatureDeclaration | undefined
}

/** Where the value of an expression comes from, one step back. */
function sourcesOf(node: Origin, values: Values): readonly Origin[] {
  if (isTaking(node)) return values.ofMember(takenName(node) ?? '')
  if (TS.isIdentifier(node)) return values.ofVariable(node)
  if (TS.isPropertyAccessExpression(node)) return values.ofMember(node.name.text)
  if (TS.isParenthesizedExpression(node)) return [node.expression]
  if (TS.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse]
  if (TS.isBinaryExpression(node)) return isPassing(node.operatorToken.kind) ? [node.left, node.right] : []
  if (!TS.isCallExpression(node)) return []
  const callee = node.expression
  // What `f.bind(x)` makes is called as `f` is.
  if (TS.isPropertyAccessExpression(callee) && callee.name.text === 'bind') return [callee.expression]
  const called = values.functionOf(callee)
  return called === undefined ? [] : resultsOf(called)
}

/** Whether the value of an operator may be that of a side. */
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

/** Whether an operator gives its left side the value of its right one. */
function isAssigning(kind: ts.SyntaxKind): boolean {
  const kinds = TS.SyntaxKind
  return (
    kind === kinds.EqualsToken ||
    kind === kinds.AmpersandAmpersandEqualsToken ||
    kind === kinds.BarBarEqualsToken ||
    kind === kinds.QuestionQuestionEqualsToken
  )
}

/** What a function returns. */
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

/** Binds the names of one file that has been parsed; nothing is read from the disk. */
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
