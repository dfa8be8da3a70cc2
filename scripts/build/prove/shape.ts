/**
 * The shape of code: what stays of it when names of variables, types, layout and comments are taken away. Two functions of
 * one shape are copies of each other, whatever a formatter or a minifier made of one of them.
 */
import type ts from 'typescript'
import { TS } from '../typescript.ts'

/** How many nodes of the syntax tree in a row make one shingle. */
const SHINGLE_NODES = 16

/** A function within the file whose shape was taken. */
export interface FunctionShape {
  readonly name: string
  /** Its shingles are those of the file from here… */
  readonly from: number
  /** …up to here, exclusive. */
  readonly to: number
}

/** The shape of a file. */
export interface Shape {
  /** A hash for each run of {@link SHINGLE_NODES} nodes, in the order of the file. */
  readonly shingles: Uint32Array
  readonly functions: readonly FunctionShape[]
}

/** Takes the shape of a parsed file. */
export function shapeOf(source: ts.SourceFile): Shape {
  const labels: number[] = []
  const functions: FunctionShape[] = []
  const visit = (node: ts.Node): void => {
    const from = labels.length
    labels.push(labelOf(node))
    TS.forEachChild(node, visit)
    if (TS.isFunctionLike(node)) {
      functions.push({ name: nameOf(node), from, to: Math.max(from, labels.length - SHINGLE_NODES + 1) })
    }
  }
  visit(source)
  const shingles = new Uint32Array(Math.max(0, labels.length - SHINGLE_NODES + 1))
  for (let at = 0; at < shingles.length; at++) {
    let sum = 0
    for (let next = at; next < at + SHINGLE_NODES; next++) sum = Math.imul(sum ^ labels[next]!, 0x01000193) + 0x9e3779b9
    shingles[at] = sum
  }
  return { shingles, functions }
}

/** Names of members and the text of literals stay, names of variables do not: a minifier changes only those. */
function labelOf(node: ts.Node): number {
  if (TS.isIdentifier(node)) return isMemberName(node) ? hash(node.text, MEMBER) : VARIABLE
  if (TS.isLiteralExpression(node) || TS.isTemplateHead(node) || TS.isTemplateMiddleOrTemplateTail(node)) {
    return hash(node.text, LITERAL)
  }
  return Math.imul(node.kind + 1, 0x9e3779b1)
}

function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node
  if (TS.isPropertyAccessExpression(parent)) return parent.name === node
  return (TS.isPropertyAssignment(parent) || TS.isMethodDeclaration(parent)) && parent.name === node
}

function nameOf(node: ts.SignatureDeclaration): string {
  const own = node.name
  if (own !== undefined && TS.isIdentifier(own)) return own.text
  const { parent } = node
  const named = TS.isVariableDeclaration(parent) || TS.isPropertyAssignment(parent) ? parent.name : undefined
  return named !== undefined && TS.isIdentifier(named) ? named.text : 'a function'
}

const VARIABLE = 0x811c9dc5
const MEMBER = 0x2c1b3c6d
const LITERAL = 0x297a2d39

function hash(text: string, kind: number): number {
  let sum = kind
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  return sum
}
