/** The syntax trees of sources, as TypeScript's parser makes them. `treeOf` parses each text once per process. */
import ts from 'typescript'

const trees = new Map<string, ts.SourceFile>()

/** The syntax tree of a text. The extension of `file` selects the language; nodes know their parents. */
export function treeOf(file: string, text: string): ts.SourceFile {
  const key = `${file}\n${text}`
  let tree = trees.get(key)
  if (tree === undefined) trees.set(key, (tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)))
  return tree
}
