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
