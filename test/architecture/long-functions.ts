/** Finds functions with more lines than a limit. */
import type ts from 'typescript'
import { TS } from '../../scripts/build/typescript.ts'
import { nodesOf, treeOf } from './sources.ts'

/** A function: where it is, its name, and its lines from the first to the last. */
export interface LongFunction {
  readonly file: string
  readonly name: string
  readonly lines: number
}

/**
 * The functions of a text that have more than `most` lines. The lines of an inner function count for the outer function
 * too.
 */
export function longFunctions(file: string, text: string, most: number): LongFunction[] {
  const source = treeOf(file, text)
  const found: LongFunction[] = []
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line
  for (const node of nodesOf(file, text)) {
    if (!TS.isFunctionLike(node) || !('body' in node) || node.body === undefined) continue
    const lines = lineOf(node.end) - lineOf(node.getStart()) + 1
    if (lines > most) found.push({ file, name: nameOf(node), lines })
  }
  return found
}

function nameOf(node: ts.SignatureDeclaration): string {
  const named = node.name ?? ('name' in node.parent ? (node.parent.name as ts.Node | undefined) : undefined)
  return named?.getText() ?? 'a function'
}
