/** Explains TypeScript that Node does not run, because Node only removes types. */
import { readFileSync } from 'node:fs'
import type ts from 'typescript'
import { packagesAt, shown } from '../paths.ts'
import { loadTypeScript, TS } from '../typescript.ts'
import type { LoadErrorParts } from './read-module.ts'
import { type Explained, fileOf, lineOf, withSource } from './source-line.ts'

const ERASABLE =
  'Node runs TypeScript by leaving out its types, so syntax that makes code is not available. `erasableSyntaxOnly` in tsconfig.json finds it in the editor.'

/** Explains an error in the syntax of TypeScript; undefined for another error. */
export function explainSyntax(
  message: string,
  { place, files = [] }: LoadErrorParts,
  base: string,
): Explained | undefined {
  if (/not supported in strip-only mode/.test(message) && place !== undefined) {
    const file = fileOf(place.url)
    const what = withSource(shown(file, base), { ...place, text: lineOf(file, place.line) }, message)
    return { why: what, hint: ERASABLE }
  }
  if (place !== undefined || !/Invalid or unexpected token/.test(message)) return undefined
  // V8 does not say where. Of valid TypeScript only a decorator leaves such a token.
  for (const file of files.filter((one) => packagesAt(one) < 0)) {
    const line = firstDecorator(file)
    if (line === undefined) continue
    const why = withSource(
      shown(file, base),
      { line, column: undefined, text: lineOf(file, line) },
      'Node does not run decorators',
    )
    return { why, hint: `Call the function on the class or method instead. ${ERASABLE}` }
  }
  return undefined
}

function firstDecorator(file: string): number | undefined {
  loadTypeScript()
  const source = TS.createSourceFile(file, readFileSync(file, 'utf8'), TS.ScriptTarget.Latest, true)
  const find = (node: ts.Node): number | undefined =>
    TS.isDecorator(node) ? source.getLineAndCharacterOfPosition(node.getStart()).line + 1 : TS.forEachChild(node, find)
  return find(source)
}
