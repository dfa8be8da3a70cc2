/** What is read of code without a tree is what its tree says: where its functions are, and whether it may hold a form. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/build/paths.ts'
import { findForms, isUnfollowed } from '../../scripts/build/prove/forms.ts'
import { functionsIn } from '../../scripts/build/prove/functions.ts'
import { plainImports } from '../../scripts/build/prove/plain-code.ts'
import { parsePrinted, printCode } from '../../scripts/build/prove/syntax.ts'
import { TEXT, tokensOf } from '../../scripts/build/prove/tokens.ts'
import { TS } from '../../scripts/build/typescript.ts'

const test = suite('printed code')

const packages = ['jose', 'prom-client', 'postgres', 'pino', 'zod/v4/core', '@noble/hashes', '@nats-io/nats-core']
const files = [
  ...globSync(['core/**/*.ts', 'plugins/**/*.ts', 'scripts/**/*.ts'], { cwd: root }),
  ...packages.flatMap((name) => globSync(`node_modules/${name}/**/*.js`, { cwd: root })),
]
const printed = new Map<string, string>()
for (const file of files) {
  const code = await printCode(readFileSync(join(root, file), 'utf8'), file).catch(() => undefined)
  if (code !== undefined) printed.set(file, code)
}

/** What each function of a text is, by its tree: the last lines, which differ from those of every other that ends elsewhere. */
function endsByTree(code: string): number[] {
  const ends = new Set<number>()
  const visit = (node: Parameters<Parameters<typeof TS.forEachChild>[1]>[0]): void => {
    if (TS.isFunctionLike(node)) ends.add(node.getEnd())
    TS.forEachChild(node, visit)
  }
  visit(parsePrinted(code, 'x.js'))
  return [...ends].sort((a, b) => a - b)
}

function endsByTokens(code: string): number[] {
  const tokens = tokensOf(code)
  const ends = functionsIn(code, tokens).map(({ to }) => {
    const end = tokens.to[to - 1]!
    // A text is its inside, and its mark belongs to the function.
    return tokens.kinds[to - 1] === TEXT ? end + /^(?:["'`]|\/\w*)/.exec(code.slice(end))![0].length : end
  })
  return [...new Set(ends)].sort((a, b) => a - b)
}

test('the functions of our code and of packages are where the tree has them', () => {
  let [same, all] = [0, 0]
  for (const [file, code] of printed) {
    const [wanted, found] = [endsByTree(code), new Set(endsByTokens(code))]
    const there = wanted.filter((end) => found.has(end)).length
    all += wanted.length
    same += there
    assert.ok(
      there >= wanted.length * 0.9 - 1 && found.size <= wanted.length * 1.1 + 1,
      `${file}: ${there} of ${wanted.length}`,
    )
  }
  assert.ok(all > 10_000, `${all}`)
  assert.ok(same / all > 0.995, `${same} of ${all}`)
})

test('code that its text clears has no form in its tree but imports of the names that it says', () => {
  let cleared = 0
  for (const [file, code] of printed) {
    const imports = plainImports(code)
    if (imports === undefined) continue
    cleared += 1
    const forms = findForms(parsePrinted(code, file)).filter(
      (form) => form.builtin !== undefined || isUnfollowed(form, new Set(imports)),
    )
    assert.equal(forms, [], file)
  }
  assert.ok(cleared > printed.size / 2, `${cleared} of ${printed.size}`)
})

test('a name that is written with escapes is no less looked at', async () => {
  for (const text of [
    '\\u0065val(x)',
    'x.\\u{65}val(y)',
    "x['ev\\x61l'](y)",
    "const { ['ev\\u0061l']: y } = x",
    'x[`ev\\u0061l`](y)',
    'x[`ev\\al`](y)',
    "Reflect.get(f, 'con\\x73tructor')",
    'Reflect.get(f, `con\\u0073tructor`)',
    'Reflect.get(f, `con\\structor`)',
    "import 'node:v\\u006d'",
    'import(`./$' + '{x}.js`)',
    "import('./a.js', x)",
    'setTimeout?.("x")',
    'setTimeout(x + "y")',
    'export { "a b" } from "./x.js"',
    "export * as 'a b' from './x.js'",
  ]) {
    assert.is(plainImports(await printCode(text, 'x.js')), undefined, text)
  }
})

test('tokens are told apart by the one before', () => {
  for (const [code, texts] of Object.entries({
    'if (a) /`/.test(b);': ['`'],
    'x = a / b / c;': [],
    'x = (a) / b / c;': [],
    'x = !/[/"]/.test(b);': ['[/"]'],
    'f(`a${`b${{ c: "}" }.c}d`}e`);': ['a', 'b', '}', 'd', 'e'],
    'return /"/g;': ['"'],
    'a.return / b / c;': [],
    "if (a) {\n}\n/'/.test(b);": ["'"],
    'i++ / 2 / x;': [],
    'a = "\\"" + "/*";': ['\\"', '/*'],
  })) {
    const { count, kinds, from, to } = tokensOf(code)
    const found = Array.from({ length: count }, (_, at) =>
      kinds[at] === TEXT ? [code.slice(from[at], to[at])] : [],
    ).flat()
    assert.equal(found, texts, code)
  }
})

test.run()
