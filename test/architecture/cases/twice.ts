/**
 * Code that several files need is written once, in the core: no function is duplicated, and no idiom for which the core
 * has a function or type.
 */
import type ts from 'typescript'
import { suite, type Test } from 'uvu'
import * as assert from 'uvu/assert'
import { TS } from '../../../scripts/build/typescript.ts'
import { nodesOf, textsOf } from '../sources.ts'

export const test: Test = suite('code that is written twice')

/** Functions with fewer syntax nodes are equal by chance, for example getters or comparisons of two members. */
const LEAST_NODES = 32

/** Functions that are duplicated on purpose, each with the reason. */
const meant: Readonly<Record<string, string>> = {
  'plugins/kbd/engine/sql.ts a function, plugins/sync/engine/store/ledger.ts a function':
    'two families that share no code, and a core that knows no SQL',
}

/** The kind of a node, and its text if it is a literal or the name of a member. Names of variables do not count. */
function labelOf(node: ts.Node): string {
  if (TS.isIdentifier(node)) return isMemberName(node) ? node.text : ''
  const isTextual = TS.isLiteralExpression(node) || TS.isTemplateHead(node) || TS.isTemplateMiddleOrTemplateTail(node)
  return isTextual ? `${node.kind} ${node.text}` : `${node.kind}`
}

function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node
  if (TS.isShorthandPropertyAssignment(parent)) return true
  if (TS.isBindingElement(parent)) return (parent.propertyName ?? parent.name) === node
  return (TS.isPropertyAccessExpression(parent) || TS.isPropertyAssignment(parent)) && parent.name === node
}

/** What has no effect at run time: types, but not the base of a class, and the marks of optional parameters. */
function isType(node: ts.Node): boolean {
  return (
    (TS.isTypeNode(node) && !TS.isExpressionWithTypeArguments(node)) ||
    TS.isTypeParameterDeclaration(node) ||
    TS.isQuestionToken(node)
  )
}

/** A node around others that changes nothing: brackets, braces, and what only the compiler checks. */
function isWrapper(node: ts.Node): boolean {
  return (
    TS.isBlock(node) ||
    TS.isParenthesizedExpression(node) ||
    TS.isAsExpression(node) ||
    TS.isSatisfiesExpression(node) ||
    TS.isNonNullExpression(node)
  )
}

/** The labels of all syntax nodes of a function, without types, its name and the names of variables. */
function labelsIn(declaration: ts.SignatureDeclaration): string[] {
  const labels: string[] = []
  const visit = (node: ts.Node): void => {
    if (isType(node)) return
    if (!isWrapper(node)) labels.push(labelOf(node))
    TS.forEachChild(node, visit)
  }
  TS.forEachChild(declaration, (part) => void (part !== declaration.name && visit(part)))
  return labels
}

/** The groups of functions with equal syntax trees, each as a list of its places. */
function duplicates(texts: Readonly<Record<string, string>>): string[] {
  const found = new Map<string, Set<string>>()
  for (const [file, text] of Object.entries(texts)) {
    for (const node of nodesOf(file, text)) {
      if (!TS.isFunctionLike(node) || !('body' in node)) continue
      const labels = labelsIn(node)
      const name = node.name !== undefined && TS.isIdentifier(node.name) ? node.name.text : 'a function'
      if (labels.length < LEAST_NODES) continue
      const key = labels.join()
      found.set(key, (found.get(key) ?? new Set()).add(`${file} ${name}`))
    }
  }
  return [...found.values()].filter((places) => places.size > 1).map((places) => [...places].sort().join(', '))
}

/** Idioms for which the core has a name: the only file that may contain the idiom, and its pattern. */
const idioms: Readonly<Record<string, readonly [home: string, idiom: RegExp]>> = {
  isObject: ['core/kernel/values.ts', /typeof (\w+) === 'object' && \1 !== null && !Array\.isArray\(\1\)/],
  'isObject, denied': ['core/kernel/values.ts', /typeof (\w+) !== 'object' \|\| \1 === null \|\| Array\.isArray\(\1\)/],
  Awaitable: ['core/kernel/values.ts', /\b(\w+) \| Promise(?:Like)?<\1>/],
  streamHeaders: ['core/http/reply.ts', /'content-type': 'text\/event-stream/],
  shareInProcess: ['core/kernel/process-slot.ts', /Symbol\.for\(\w+\)/],
}

/**
 * The sources to compare, without the benchmarks, whose contestants are independent of each other, and without
 * contracts, whose cases are data.
 */
function comparedSources(): Record<string, string> {
  const texts = [...textsOf('{core,plugins,scripts}/**/*.ts')]
  return Object.fromEntries(
    texts.filter(([file]) => !file.startsWith('scripts/bench/') && !file.endsWith('/contract.ts')),
  )
}

test('no function is written twice', () => {
  const twice = duplicates(comparedSources())
  assert.equal(
    twice.filter((places) => !Object.hasOwn(meant, places)),
    [],
  )
  assert.equal(
    Object.keys(meant).filter((places) => !twice.includes(places)),
    [],
    'no longer twice',
  )
})

test('no idiom is written out where the core has a function or type for it', () => {
  const code = Object.entries(comparedSources()).map(
    ([file, text]) => [file, text.replace(/^\s*(?:\/?\*|\/\/).*$/gm, '')] as const,
  )
  for (const [name, [home, idiom]] of Object.entries(idioms)) {
    const places = code.filter(([, text]) => idiom.test(text)).map(([file]) => file)
    assert.equal(
      places.filter((file) => file !== home),
      [],
      name,
    )
  }
})

test('a duplicate with other names, types and layout is found', () => {
  const sum = (name: string, each: string, type: string): string => `
    export function ${name}(parts: readonly ${type}[]): number {
      let ${each} = 0
      for (const part of parts) {
        if (part === undefined) continue
        ${each} += part.length * 2
        console.info('so far', ${each}, part.length > 3 ? 'long' : 'short', parts.length)
      }
      return ${each} > 10 ? ${each} : parts.length
    }`
  const texts = {
    'a.ts': sum('sum', 'all', 'string'),
    'b.ts': sum('total', 'whole', 'Uint8Array')
      .replace(/\n\s*/g, '\n')
      .replace('continue', '{ continue }')
      .replace('part.length * 2', '(part!.length as number) * 2'),
  }
  assert.equal(duplicates(texts), ['a.ts sum, b.ts total'])
  assert.equal(duplicates({ ...texts, 'b.ts': texts['b.ts'].replace('> 3', '> 4') }), [])
})
