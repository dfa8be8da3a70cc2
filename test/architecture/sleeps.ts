/** Finds fixed sleeps in tests: an awaited timer that is not the pause of a polling loop. */
import type ts from 'typescript'
import { TS } from '../../scripts/build/typescript.ts'
import { nodesOf, treeOf } from './sources.ts'

/** A sleep: its file, its line and its statement. */
export interface Sleep {
  readonly file: string
  readonly line: number
  readonly text: string
}

/** The texts of test modules, by path. */
export type Sources = ReadonlyMap<string, string>

/**
 * The fixed sleeps of modules. A sleep is `await` on a promise that a timer resolves: `new Promise` with `setTimeout`
 * in it, a function of `node:timers/promises`, or a function of any module that returns such a promise. An awaited
 * timer in a loop is not a sleep but the pause of a poll, which ends when its condition holds.
 */
export function findSleeps(sources: Sources): readonly Sleep[] {
  const parse = (wanted: RegExp): ts.SourceFile[] =>
    [...sources].filter(([, text]) => wanted.test(text)).map(([file, text]) => treeOf(file, text))
  const timed = /\bsetTimeout\b|timers\/promises/
  const sleepers = new Set(parse(timed).flatMap(exportedSleepers))
  const parsed = parse(new RegExp([timed.source, ...sleepers].join('|')))
  return parsed.flatMap((source) => {
    const own = new Set([...sleepersOf(source), ...importedFrom(source, sleepers)])
    return sleepsOf(source, own)
  })
}

function sleepsOf(source: ts.SourceFile, sleepers: ReadonlySet<string>): Sleep[] {
  const found: Sleep[] = []
  for (const node of nodesOf(source.fileName, source.text)) {
    if (!TS.isAwaitExpression(node) || !isTimed(node.expression, sleepers) || isInLoop(node)) continue
    const { line } = source.getLineAndCharacterOfPosition(node.getStart())
    found.push({ file: source.fileName, line: line + 1, text: node.getText().replace(/\s+/g, ' ') })
  }
  return found
}

/** Whether an expression is a promise that a timer resolves. */
function isTimed(node: ts.Expression, sleepers: ReadonlySet<string>): boolean {
  if (TS.isCallExpression(node)) return TS.isIdentifier(node.expression) && sleepers.has(node.expression.text)
  if (!TS.isNewExpression(node) || node.expression.getText() !== 'Promise') return false
  const [callback] = node.arguments ?? []
  return callback !== undefined && TS.isArrowFunction(callback) && resolvesByTimer(callback)
}

/** Whether the only thing a callback of `new Promise` does is to start a timer that resolves it. */
function resolvesByTimer({ body, parameters }: ts.ArrowFunction): boolean {
  const [resolve] = parameters
  let expression: ts.Node = body
  if (TS.isVoidExpression(expression)) expression = expression.expression
  if (!TS.isCallExpression(expression) || resolve === undefined) return false
  const called = expression.expression
  const name = TS.isPropertyAccessExpression(called) ? '' : called.getText()
  const [run] = expression.arguments
  return name === 'setTimeout' && run !== undefined && run.getText().includes(resolve.name.getText())
}

/** Whether a node is inside a loop of the same function. */
function isInLoop(node: ts.Node): boolean {
  for (let ancestor = node.parent; ancestor !== undefined && !TS.isFunctionLike(ancestor); ancestor = ancestor.parent)
    if (TS.isIterationStatement(ancestor, false)) return true
  return false
}

/**
 * Local names of the sleep functions of a module: declared functions that return a timer's promise, and imports of
 * `setTimeout` from `node:timers/promises`.
 */
function sleepersOf(source: ts.SourceFile): string[] {
  return source.statements.flatMap((statement) => {
    if (TS.isVariableStatement(statement)) return statement.declarationList.declarations.flatMap(sleeperOf)
    if (TS.isFunctionDeclaration(statement)) {
      const [only] = statement.body?.statements ?? []
      const returned = only !== undefined && TS.isReturnStatement(only) ? only.expression : undefined
      return returned !== undefined && isTimed(returned, new Set()) ? [statement.name?.text ?? ''] : []
    }
    if (!TS.isImportDeclaration(statement)) return []
    if (!(TS.isStringLiteral(statement.moduleSpecifier) && statement.moduleSpecifier.text === 'node:timers/promises'))
      return []
    return namesOf(statement)
      .filter(({ imported }) => imported === 'setTimeout')
      .map(({ local }) => local)
  })
}

function sleeperOf({ name, initializer }: ts.VariableDeclaration): string[] {
  if (initializer === undefined || !TS.isArrowFunction(initializer) || TS.isBlock(initializer.body)) return []
  return isTimed(initializer.body, new Set()) ? [name.getText()] : []
}

function exportedSleepers(source: ts.SourceFile): string[] {
  const names = sleepersOf(source)
  return names.filter((name) => new RegExp(`export (?:const|function) ${name}\\b`).test(source.text))
}

function importedFrom(source: ts.SourceFile, sleepers: ReadonlySet<string>): string[] {
  return source.statements
    .filter(TS.isImportDeclaration)
    .filter(({ moduleSpecifier }) => TS.isStringLiteral(moduleSpecifier) && moduleSpecifier.text.startsWith('.'))
    .flatMap(namesOf)
    .filter(({ imported }) => sleepers.has(imported))
    .map(({ local }) => local)
}

function namesOf({ importClause }: ts.ImportDeclaration): { readonly imported: string; readonly local: string }[] {
  const bindings = importClause?.namedBindings
  if (bindings === undefined || !TS.isNamedImports(bindings)) return []
  return bindings.elements.map(({ name, propertyName }) => ({
    imported: (propertyName ?? name).text,
    local: name.text,
  }))
}
