/**
 * Every function and class of the public entries has an example in its doc comment. The examples compile and run, and a
 * line that ends with `// → value` has this value.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type ts from 'typescript'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../../scripts/build/paths.ts'
import { loadTypeScript } from '../../../scripts/build/typescript.ts'
import { entries } from '../../../scripts/package/entries.ts'

const TS = loadTypeScript()

const test = suite('examples')

/** The entries that are source files. Those of profiles are bundles, whose functions docs/embedding.md shows. */
const sources = entries.flatMap(({ subpath, source }) =>
  source === undefined ? [] : [[`svc${subpath.slice(1)}`, join(root, source)] as const],
)

/** The entries with all that they import, without packages and the library of TypeScript: no name comes from them. */
function createEntries(): ts.Program {
  const options: ts.CompilerOptions = {
    module: TS.ModuleKind.NodeNext,
    allowImportingTsExtensions: true,
    noLib: true,
    types: [],
  }
  const host = TS.createCompilerHost(options)
  const parse = host.getSourceFile
  host.getSourceFile = (file, ...how) => (file.includes('/node_modules/') ? undefined : parse(file, ...how))
  return TS.createProgram(
    sources.map(([, file]) => file),
    options,
    host,
  )
}

const program = createEntries()
const checker = program.getTypeChecker()

/** The examples of the functions and classes that an entry exports, by name. */
function examplesOf(file: string): [name: string, example: string | undefined][] {
  const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!
  return checker.getExportsOfModule(module).flatMap((exported) => {
    const symbol = exported.flags & TS.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
    const isCallable =
      (symbol.flags & (TS.SymbolFlags.Function | TS.SymbolFlags.Class)) !== 0 ||
      ((symbol.flags & TS.SymbolFlags.Variable) !== 0 && checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0)
    if (!isCallable || isType(exported)) return []
    const tag = symbol.getJsDocTags(checker).find(({ name }) => name === 'example')
    return [[exported.name, /^```ts\n([\s\S]*)\n```$/.exec(TS.displayPartsToString(tag?.text))?.[1]]]
  })
}

/** Whether an entry exports the type of a class alone. */
function isType(symbol: ts.Symbol): boolean {
  return symbol.declarations?.some((one) => TS.isExportSpecifier(one) && TS.isTypeOnlyExportDeclaration(one)) === true
}

const folder = join(root, `.build/examples-${process.pid}`)
const examples = sources.flatMap(([entry, file]) => examplesOf(file).map(([name, text]) => ({ entry, name, text })))
const files = examples.map((_, n) => join(folder, `${n}.ts`))

/** An example that checks the values that it shows, with the sources in place of the package. */
function checking(text: string): string {
  const checked = text.replace(/^(.*) \/\/ → (.*)$/gm, 'equal($1, $2)')
  const located = sources.reduce((code, [entry, file]) => code.replaceAll(`'${entry}'`, JSON.stringify(file)), checked)
  return `import { equal } from 'uvu/assert'\n${located}\nvoid equal\n`
}

test.before(() => {
  mkdirSync(folder, { recursive: true })
  const options = { isolatedDeclarations: false, paths: { 'svc/plugin': [join(root, 'core/plugin-api.ts')] } }
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions: options, include: ['*.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  for (const [n, { text = '' }] of examples.entries()) writeFileSync(files[n]!, checking(text))
})
test.after(() => rmSync(folder, { recursive: true, force: true }))

test('every function and class has one', () => {
  assert.ok(examples.length > 40)
  assert.equal(
    examples.filter(({ text }) => text === undefined).map(({ entry, name }) => `${entry} ${name}`),
    [],
  )
})

test('they compile', () => {
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
  assert.is(status, 0, stdout)
})

for (const [n, { entry, name }] of examples.entries())
  test(`${entry}: ${name}`, () => import(pathToFileURL(files[n]!).href).then(() => undefined))

test.run()
