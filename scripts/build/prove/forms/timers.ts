/** Finds timers with a string argument, which they run as code, as `eval` does (HTML, timer initialisation steps). */
import type ts from 'typescript'
import { TS } from '../../typescript.ts'
import { freeName, MARK } from '../syntax.ts'
import { isTaking, takenName } from './taking.ts'
import { createValueFlow, type Origin, type OriginsOf } from './value-flow.ts'

const names: ReadonlySet<string> = new Set(['setTimeout', 'setInterval'])
const isMentioned = new RegExp(
  String.raw`${MARK.replace('$', '\\$')}set(?:Timeout|Interval)\b|\bset(?:Timeout|Interval)\b`,
)

/**
 * Whether a call can pass a string to a timer: under any name that the timer has in the file, and through `call`,
 * `apply` or `bind`.
 */
export type GivesTimerText = (call: ts.CallExpression) => boolean

/** Creates the check for the calls of one file. */
export function timersIn(source: ts.SourceFile): GivesTimerText {
  if (!isMentioned.test(source.text)) return () => false
  const originsOf = createValueFlow(source)
  return (call) =>
    calls(call).some(({ callee, first }) => isAny(originsOf, first, isText) && isAny(originsOf, callee, isTimer))
}

interface Call {
  readonly callee: ts.Expression
  /** The first argument of the callee. */
  readonly first: ts.Expression
}

/**
 * The callees of a call: its own callee, and `f` in `f.call(x, first)`, `f.bind(x, first)`, `f.apply(x, [first])` and
 * `Reflect.apply(f, x, [first])`.
 */
function calls({ expression: callee, arguments: given }: ts.CallExpression): Call[] {
  const [first, second, third] = given
  const found: { readonly callee: ts.Expression; readonly first: ts.Expression | undefined }[] = [{ callee, first }]
  if (TS.isPropertyAccessExpression(callee)) {
    const { text } = callee.name
    if (text === 'call' || text === 'bind') found.push({ callee: callee.expression, first: second })
    if (text === 'apply') {
      found.push({ callee: callee.expression, first: elementOf(second) })
      if (first !== undefined) found.push({ callee: first, first: elementOf(third) })
    }
  }
  return found.flatMap((one) => (one.first === undefined ? [] : { callee: one.callee, first: one.first }))
}

function elementOf(list: ts.Expression | undefined): ts.Expression | undefined {
  return list !== undefined && TS.isArrayLiteralExpression(list) ? list.elements[0] : undefined
}

function isAny(originsOf: OriginsOf, node: ts.Expression, is: (origin: Origin) => boolean): boolean {
  for (const origin of originsOf(node)) if (is(origin)) return true
  return false
}

/**
 * Whether an origin is a timer by name. The object does not matter, because it can be an alias of the global object.
 */
function isTimer(node: Origin): boolean {
  if (isTaking(node)) return names.has(takenName(node) ?? '')
  return names.has(TS.isPropertyAccessExpression(node) ? node.name.text : (freeName(node) ?? ''))
}

/** Whether an expression is certainly a string, whatever its operands are. */
function isText(node: ts.Node): boolean {
  if (TS.isStringLiteralLike(node) || TS.isTemplateExpression(node)) return true
  if (TS.isBinaryExpression(node)) {
    return node.operatorToken.kind === TS.SyntaxKind.PlusToken && (isText(node.left) || isText(node.right))
  }
  return TS.isCallExpression(node) && /(?:^String|\.(?:join|toString|concat|repeat))$/.test(node.expression.getText())
}
