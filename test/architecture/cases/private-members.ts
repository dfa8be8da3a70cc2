/**
 * Packages and Node are used through their documented members only. Every exception is in the table here, with its
 * reason.
 */
import { suite, type Test } from 'uvu'
import * as assert from 'uvu/assert'
import { TS } from '../../../scripts/build/typescript.ts'
import { nodesOf, textsOf, treeOf } from '../sources.ts'

export const test: Test = suite('private members')

/** Names that are private without an underscore: prom-client's store, pino's and Node's internals. */
const PRIVATE: ReadonlySet<string> = new Set(['hashMap', 'asJsonSym', 'symbols', 'getForPromString', 'binding'])

/** The private members that are used, by file and name, each with the reason why no public member serves. */
const allowed: Readonly<Record<string, string>> = {
  'plugins/transport/unix/unix-listener.ts _handle':
    'Node gives no file descriptor of a socket, and SO_PEERCRED needs one (unix(7)).',
  'plugins/peer/tls/listener.ts _parent':
    'Node gives no TCP socket of a TLS socket, and a connection that was refused in the handshake is destroyed below TLS.',
  'plugins/transport/uws/load-addon.ts _cfg':
    'The only switch of uWebSockets.js for the banner that it prints when it is loaded.',
  'scripts/toolkit/attest/statement.ts _type': 'A member of in-toto statements, whose public name it is.',
}

/**
 * The private members that a text names: after a dot, in a destructuring pattern, in a type, or as a string in
 * brackets.
 */
function privateMembers(file: string, text: string): string[] {
  const found: string[] = []
  const isPrivate = (name: string): boolean => /^_[^_]/.test(name) || PRIVATE.has(name)
  const source = treeOf(file, text)
  for (const node of nodesOf(file, text)) {
    const name = TS.isPropertyAccessExpression(node)
      ? node.name.text
      : TS.isElementAccessExpression(node) && TS.isStringLiteralLike(node.argumentExpression)
        ? node.argumentExpression.text
        : TS.isBindingElement(node) && TS.isObjectBindingPattern(node.parent)
          ? (node.propertyName ?? node.name).getText(source)
          : TS.isPropertySignature(node)
            ? node.name.getText(source)
            : undefined
    if (name !== undefined && isPrivate(name)) found.push(name)
  }
  return [...new Set(found)]
}

test('private members of packages and of Node are used only in the listed places', () => {
  const texts = textsOf('{core,plugins,profiles,scripts}/**/*.ts')
  assert.ok(texts.size > 400)
  const used = [...texts].flatMap(([file, text]) => privateMembers(file, text).map((name) => `${file} ${name}`))
  assert.equal(used.sort(), Object.keys(allowed).sort())
})

test('every form of use is found', () => {
  const found = (text: string): string[] => privateMembers('x.ts', text)
  assert.equal(found('socket._handle.fd'), ['_handle'])
  assert.equal(found("socket['_handle']"), ['_handle'])
  assert.equal(found('const { _handle } = socket as { _handle?: object }'), ['_handle'])
  assert.equal(found('const { _handle: handle } = socket'), ['_handle'])
  assert.equal(found('metric.hashMap[key]'), ['hashMap'])
  assert.equal(found('pino.symbols.asJsonSym').sort(), ['asJsonSym', 'symbols'])
  assert.equal(found("process.binding('v8')"), ['binding'])
  assert.equal(found('const { signature: _, ...rest } = request; const [_a] = rest; f((_b) => 1)'), [])
})
