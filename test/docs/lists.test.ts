/** The lists of the guides agree with the code: members, error codes, uses of code, folders. */
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type ts from 'typescript'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { surfaceNames } from '../../core/http/route.ts'
import { buildFail } from '../../scripts/build/errors.ts'
import { root } from '../../scripts/build/paths.ts'
import { matrixFeatures } from '../../scripts/build/plan/locate-feature.ts'
import { stages } from '../../scripts/build/stages.ts'
import { loadTypeScript } from '../../scripts/build/typescript.ts'

const TS = loadTypeScript()

const test = suite('docs: lists')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** The members of an interface, or the string literals of a union type, as the source declares them. */
function declared(file: string, name: string): string[] {
  const found: string[] = []
  const take = (type: ts.TypeNode): void => {
    if (TS.isUnionTypeNode(type)) for (const member of type.types) take(member)
    else if (TS.isLiteralTypeNode(type) && TS.isStringLiteral(type.literal)) found.push(type.literal.text)
  }
  TS.forEachChild(TS.createSourceFile(file, read(file), TS.ScriptTarget.Latest, true), (node) => {
    if (TS.isInterfaceDeclaration(node) && node.name.text === name) {
      for (const { name: member } of node.members) if (member !== undefined) found.push(member.getText())
    } else if (TS.isTypeAliasDeclaration(node) && node.name.text === name) take(node.type)
  })
  assert.ok(found.length > 0, `${file} has no ${name}`)
  return found
}

/**
 * The names in the first column of a table, which is found by the beginning of its head. A cell may contain several
 * names.
 */
function column(page: string, head: string): string[] {
  const text = read(page)
  const from = text.indexOf(`\n${head}`)
  assert.ok(from >= 0, `${page} has no table ${head}`)
  const rows = text
    .slice(from + 1)
    .split('\n')
    .slice(2)
  const cells = rows
    .slice(
      0,
      rows.findIndex((row) => !row.startsWith('|')),
    )
    .map((row) => row.split('|')[1]!)
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!))
}

const same = (page: string[], code: string[]): void => assert.equal([...page].sort(), [...new Set(code)].sort())

test('docs/profiles.md has every member of a profile', () => {
  const file = 'core/declare/matrix.ts'
  same(column('docs/profiles.md', '| member | meaning |\n|---|---|\n| `name`'), [
    ...declared(file, 'Profile'),
    ...declared(file, 'TargetSpec'),
  ])
})

test('docs/profiles.md has every member of a proof', () => {
  same(
    column('docs/profiles.md', '| member | meaning |\n|---|---|\n| `file`'),
    declared('scripts/build/prove/prove.ts', 'Proof'),
  )
})

test('docs/profiles.md has every use of code that the bundler cannot follow', () => {
  const [, sentence] = /The ways are ([\s\S]*?)\.\n- /.exec(read('docs/profiles.md'))!
  const ways = declared('core/declare/matrix.ts', 'Use')
  const named = [...sentence!.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!)
  assert.equal(
    ways.filter((way) => !named.includes(way)),
    [],
  )
})

test('every error code of a build that a guide names exists', () => {
  for (const page of readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))) {
    for (const [code] of read(`docs/${page}`).matchAll(/ERR_(?:PROFILE|FEATURE|FLAG|PROOF|BUILD)_[A-Z_]+/g)) {
      if (code !== 'ERR_FEATURE_ABSENT') assert.ok(code in buildFail.rows, `${page}: ${code}`)
    }
  }
})

test('docs/plugins.md has every member of a feature and of a route', () => {
  const firstCells = (head: string): string[] => column('docs/plugins.md', head)
  same(firstCells('| in `defineFeature` |'), declared('core/declare/feature.ts', 'FeatureDefinition'))
  same(firstCells('| in `route` |'), [...declared('core/declare/route.ts', 'RouteDefinition'), 'auth', 'exposes'])
})

test('docs/architecture.md has the stages, the surfaces and the families', () => {
  const page = read('docs/architecture.md')
  assert.ok(page.includes(stages.slice(0, 1).concat(stages.slice(1)).join(' ► ')))
  for (const surface of surfaceNames)
    assert.match(
      page,
      new RegExp(`^ +(?:.*surface|fetch|node:http|uWebSockets).*${surface}|^.*\\b${surface} +\\(`, 'm'),
    )
  const families = [...new Set(Object.keys(matrixFeatures).map((id) => id.split('.')[0]!))]
  const [, listed] = /The families are ([\s\S]*?)\./.exec(page)!
  same(
    [...listed!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
    families,
  )
})

/** Folders of plugins/ without a feature: what every plugin may import, what a caller's program imports, and types. */
const libraries: readonly string[] = ['client', 'protocol', 'store']

test('each folder of plugins is a family of features or a library', () => {
  const folders = readdirSync(join(root, 'plugins'), { withFileTypes: true })
  assert.ok(folders.every((entry) => entry.isDirectory()))
  same(
    folders.map(({ name }) => name).filter((name) => !libraries.includes(name)),
    Object.keys(matrixFeatures).map((id) => id.split('.')[0]!),
  )
})

test('docs/simulation.md has every invariant', () => {
  same(column('docs/simulation.md', '| invariant |'), declared('test/simulation/judge.ts', 'Invariant'))
})

test('CONTRIBUTING.md has the folders of the code, and those of the tests', () => {
  const page = read('CONTRIBUTING.md')
  const code = readdirSync(root, { withFileTypes: true }).filter(
    (entry) =>
      entry.isDirectory() &&
      readdirSync(join(root, entry.name), { recursive: true }).some((file) =>
        /^(?!node_modules).*\.ts$/.test(String(file)),
      ),
  )
  const ours = code.map(({ name }) => name).filter((name) => !/^(?:node_modules|docs|dist|coverage|\..*)$/.test(name))
  assert.equal(ours.sort(), ['core', 'plugins', 'profiles', 'scripts', 'test'])
  for (const name of ours) assert.match(page, new RegExp(`^\\| \`${name}/`, 'm'))
  const row = page.split('\n').find((line) => line.startsWith('| `test/`'))!
  const tests = readdirSync(join(root, 'test'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  for (const { name } of tests)
    assert.ok(row.includes(`\`${name}/\``), `CONTRIBUTING.md does not describe test/${name}`)
})

test('every table of a page has a header row, so no blank line separates rows from their table', () => {
  const cut = globSync('{*,docs/*,docs/decisions/*}.md', { cwd: root }).flatMap((page) => {
    const text = read(page).replace(/^```[\s\S]*?^```/gm, '')
    const tables = [...text.matchAll(/(?<=^(?!\|).*\n|^)(?:\|.*\n)+/gm)].map(([table]) => table.split('\n'))
    return tables.flatMap(([first, second]) => (/^\|[-:| ]+\|$/.test(second ?? '') ? [] : [`${page}: ${first}`]))
  })
  assert.equal(cut, [])
})

test('package.json has every member that SECURITY.md names for a report, or the page says that the member may be missing', () => {
  const [, section = ''] = /^## Reporting\n([\s\S]*?)^## /m.exec(read('SECURITY.md')) ?? []
  const manifest = JSON.parse(read('package.json')) as object
  const named = ['author', 'bugs', 'contributors', 'homepage', 'maintainers', 'repository'].filter((member) =>
    section.includes(member),
  )
  const missing = named.filter((member) => !(member in manifest))
  assert.equal(
    missing.filter((member) => !section.includes(`if there is no \`${member}\``)),
    [],
  )
  assert.ok(named.length > 0)
})

test.run()
