/**
 * The shape of code: a file without the names of variables, types, layout and comments. Two functions of the same shape
 * are copies of each other, even after a formatter or a minifier changed one of them.
 *
 * First the code is split into its expressions: `if (a) b(); else c()` and `a ? b() : c()` are both `a`, `b()` and
 * `c()`. Each expression is then a list of labels, and every {@link SHINGLE} consecutive labels are one shingle. A
 * shingle never crosses the end of an expression, so that statements inserted between those of a copy do not hide the
 * copy.
 */
import type ts from 'typescript'
import { TS } from '../../typescript.ts'

/** Number of labels in a shingle. */
const SHINGLE = 8

/** Smallest number of labels; shorter expressions occur in any program. */
const LEAST_LABELS = 5

/** A function of the file. */
export interface FunctionShape {
  readonly name: string
  /** Index of the function's first shingle in the shingles of the file. */
  readonly from: number
  /** Index after the function's last shingle. */
  readonly to: number
}

/** The shape of a file. */
export interface Shape {
  /** A hash for each shingle, in the order of the file. */
  readonly shingles: Uint32Array
  /** Every function of the file, and the file as a whole. */
  readonly functions: readonly FunctionShape[]
}

/** Computes the shape of a parsed file. */
export function shapeOf(source: ts.SourceFile): Shape {
  const shingles: number[] = []
  const functions: FunctionShape[] = []
  const add = (parts: readonly (ts.Node | undefined)[]): void => {
    const { labels, inner } = labelsOf(parts)
    shingles.push(...shinglesOf(labels))
    inner.forEach(cut)
  }
  const cut = (node: ts.Node): void => {
    if (TS.isFunctionLike(node)) {
      const from = shingles.length
      for (const { name, initializer } of node.parameters) {
        if (initializer !== undefined || !TS.isIdentifier(name)) add([name, initializer])
      }
      if ('body' in node && node.body !== undefined) cut(node.body)
      functions.push({ name: nameOf(node), from, to: shingles.length })
    } else if (TS.isVariableDeclaration(node)) {
      // `let a` contains no expression, and a minifier moves it.
      if (node.initializer !== undefined) add([node.name, node.initializer])
    } else if (TS.isExpression(node) && !TS.isClassLike(node)) {
      for (const parts of expressionsOf(node)) add(parts)
    } else if (!TS.isImportDeclaration(node) && !TS.isExportDeclaration(node)) TS.forEachChild(node, cut)
  }
  cut(source)
  functions.push({ name: 'the file', from: 0, to: shingles.length })
  return { shingles: Uint32Array.from(shingles), functions }
}

/**
 * The expressions of a statement. They are split at `,`, `&&`, `||` and `?`, because a minifier joins statements with
 * these operators.
 */
function expressionsOf(node: ts.Node): ts.Node[][] {
  if (TS.isParenthesizedExpression(node)) return expressionsOf(node.expression)
  if (TS.isAwaitExpression(node) || TS.isVoidExpression(node)) return expressionsOf(node.expression)
  if (TS.isYieldExpression(node)) return node.expression === undefined ? [] : expressionsOf(node.expression)
  if (TS.isPrefixUnaryExpression(node) && node.operator === TS.SyntaxKind.ExclamationToken)
    return expressionsOf(node.operand)
  if (TS.isConditionalExpression(node))
    return [node.condition, node.whenTrue, node.whenFalse].flatMap((part) => expressionsOf(part))
  if (!TS.isBinaryExpression(node)) return [[node]]
  const { left, right, operatorToken } = node
  if (isCutting(operatorToken.kind)) return [...expressionsOf(left), ...expressionsOf(right)]
  return operatorToken.kind === TS.SyntaxKind.EqualsToken ? [[left, right]] : [[node]]
}

/** Whether a minifier joins two statements with this operator. */
function isCutting(kind: ts.SyntaxKind): boolean {
  const { CommaToken, AmpersandAmpersandToken, BarBarToken, QuestionQuestionToken } = TS.SyntaxKind
  return (
    kind === CommaToken || kind === AmpersandAmpersandToken || kind === BarBarToken || kind === QuestionQuestionToken
  )
}

/** The labels of an expression in source order, and the functions and classes in it, which have separate shapes. */
function labelsOf(parts: readonly (ts.Node | undefined)[]): { labels: number[]; inner: ts.Node[] } {
  const labels: number[] = []
  const inner: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    // Brackets depend on the printer. `{ a }` is counted as `{ a: a }`, because a minifier writes it that way.
    if (!TS.isParenthesizedExpression(node)) labels.push(labelOf(node))
    const short = shortNameOf(node)
    if (short !== undefined) labels.push(hash(short.text, MEMBER))
    if (TS.isFunctionLike(node) || TS.isClassLike(node)) inner.push(node)
    else TS.forEachChild(node, visit)
  }
  for (const part of parts) if (part !== undefined) visit(part)
  return { labels, inner }
}

/**
 * The label of one node. Names of members and the text of literals are kept; names of variables are not, because a
 * minifier changes only those.
 */
export function labelOf(node: ts.Node): number {
  if (TS.isIdentifier(node)) return isMemberName(node) ? hash(node.text, MEMBER) : VARIABLE
  if (TS.isPrivateIdentifier(node)) return VARIABLE
  if (TS.isPrefixUnaryExpression(node) || TS.isPostfixUnaryExpression(node)) return mix(node.kind, node.operator)
  if (TS.isShorthandPropertyAssignment(node)) return TS.SyntaxKind.PropertyAssignment
  return TS.isLiteralExpression(node) || TS.isTemplateMiddleOrTemplateTail(node) || TS.isTemplateHead(node)
    ? hash(node.text, LITERAL)
    : node.kind
}

/**
 * The name that is both a member and a variable: `{ a }`, as a value or as a pattern. Returns undefined for other
 * nodes.
 */
function shortNameOf(node: ts.Node): ts.Identifier | undefined {
  if (TS.isShorthandPropertyAssignment(node)) return node.name
  if (!TS.isBindingElement(node) || !TS.isObjectBindingPattern(node.parent)) return undefined
  const { name, propertyName, dotDotDotToken } = node
  return propertyName === undefined && dotDotDotToken === undefined && TS.isIdentifier(name) ? name : undefined
}

/**
 * Whether an identifier is a member name, as in `a.name`, `{ name: a }`, `{ name() {} }` and `const { name: a } = b`.
 */
function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node
  if (TS.isBindingElement(parent)) return parent.propertyName === node
  if (TS.isShorthandPropertyAssignment(parent)) return false
  const isNamed =
    TS.isPropertyAccessExpression(parent) || TS.isObjectLiteralElementLike(parent) || TS.isClassElement(parent)
  return isNamed && parent.name === node
}

function nameOf(node: ts.SignatureDeclaration): string {
  const { parent } = node
  const name = node.name ?? (TS.isVariableDeclaration(parent) || TS.isPropertyAssignment(parent) ? parent.name : node)
  return TS.isIdentifier(name) ? name.text : 'a function'
}

/** The shingles of an expression. An expression with fewer labels than a shingle is one shingle. */
function shinglesOf(labels: readonly number[]): number[] {
  if (labels.length < LEAST_LABELS) return []
  const size = Math.min(SHINGLE, labels.length)
  return Array.from({ length: labels.length - size + 1 }, (_, at) => {
    let sum = size
    for (let next = at; next < at + size; next++) sum = mix(sum, labels[next]!)
    return sum
  })
}

const VARIABLE = 0x811c9dc5
const MEMBER = 0x2c1b3c6d
const LITERAL = 0x297a2d39

/** FNV-1a over the UTF-16 code units of a text. */
function hash(text: string, kind: number): number {
  let sum = kind
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  return sum
}

function mix(sum: number, next: number): number {
  return Math.imul(sum ^ next, 0x01000193) + 0x9e3779b9
}
