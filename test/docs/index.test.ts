/** The index lists every page, the links of all pages have targets, and only the index names versions of Node. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/build/paths.ts'
import { libraryNode, programNode } from '../../scripts/package/code.ts'

const test = suite('docs: index')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const pages = globSync('docs/{*,decisions/*}.md', { cwd: root })
const all = [...pages, 'README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']

/** The targets of a page's links to files of the project, without links in code. */
function linksOf(page: string): { readonly file: string; readonly anchor: string | undefined }[] {
  const text = read(page)
    .replace(/```[\s\S]*?```/g, '')
    .replace(/`[^`\n]*`/g, 'code')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path, anchor] = target.split('#')
      return { file: path === '' ? page : join(dirname(page), path!), anchor }
    })
}

/** The anchors of a page, as GitHub derives them from headings. */
function anchorsOf(page: string): string[] {
  const headings = read(page)
    .replace(/```[\s\S]*?```/g, '')
    .matchAll(/^#{1,6} (.+)$/gm)
  return [...headings].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test('the index links every page', () => {
  const linked = linksOf('docs/README.md').map(({ file }) => file)
  assert.equal(
    pages.filter((page) => page !== 'docs/README.md' && !linked.includes(page)),
    [],
  )
})

test('every link of a page leads to an existing file and heading', () => {
  const broken = all.flatMap((page) =>
    linksOf(page)
      .filter(({ file, anchor }) => {
        if (!existsSync(join(root, file))) return true
        return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).includes(anchor)
      })
      .map(({ file, anchor }) => `${page}: ${file}#${anchor}`),
  )
  assert.equal(broken, [])
})

test('docs/architecture.md names paths that exist', () => {
  const [, table] = /## Where it is decided([\s\S]+?)<!--/.exec(read('docs/architecture.md'))!
  const places = [...table!.matchAll(/`((?:core|plugins|scripts)\/[^`]+)`/g)].map(([, place]) => place!)
  assert.ok(places.length >= 10)
  assert.equal(
    places.filter((place) => !existsSync(join(root, place))),
    [],
  )
})

test('only the table of the index names versions of Node, and they are those of the package', () => {
  const table = read('docs/README.md')
  assert.match(table, `| ${programNode.join('.')} or newer |`)
  assert.match(table, `| the libraries, in Node | ${libraryNode.replace('>=', '')} or newer |`)
  const elsewhere = all.filter(
    (page) => !['docs/README.md', 'docs/benchmarks.md'].includes(page) && /\bNode (?:≥|2\d\.|2\d and)/.test(read(page)),
  )
  assert.equal(elsewhere, [])
})

test.run()
