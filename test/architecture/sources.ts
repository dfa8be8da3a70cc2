/** The sources of the project: their texts, and their syntax trees as TypeScript's parser makes them. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type ts from 'typescript'
import { root } from '../../scripts/build/paths.ts'
import { loadTypeScript } from '../../scripts/build/typescript.ts'

const TS = loadTypeScript()

/** The texts of the files that match a glob pattern, by path below the root of the project. */
export function textsOf(pattern: string): ReadonlyMap<string, string> {
  const files = globSync(pattern, { cwd: root }).sort()
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
}

const trees = new Map<string, ts.SourceFile>()
const nodes = new WeakMap<ts.SourceFile, readonly ts.Node[]>()

/**
 * The syntax tree of a text, which is parsed once per process. The extension of `file` selects the language; nodes know
 * their parents.
 */
export function treeOf(file: string, text: string): ts.SourceFile {
  const key = `${file}\n${text}`
  let tree = trees.get(key)
  if (tree === undefined) trees.set(key, (tree = TS.createSourceFile(file, text, TS.ScriptTarget.Latest, true)))
  return tree
}

/** All nodes of the syntax tree of a text, each before those inside of it. The tree is walked once per process. */
export function nodesOf(file: string, text: string): readonly ts.Node[] {
  const tree = treeOf(file, text)
  let found = nodes.get(tree)
  if (found === undefined) nodes.set(tree, (found = walk(tree, [])))
  return found
}

function walk(node: ts.Node, found: ts.Node[]): ts.Node[] {
  found.push(node)
  TS.forEachChild(node, (child) => void walk(child, found))
  return found
}
