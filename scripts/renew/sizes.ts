/** The sizes that our profiles state for their bundles. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type ts from 'typescript'
import { outputName } from '../build/generate/generate.ts'
import { root } from '../build/paths.ts'
import { standardProfiles } from '../build/plan/read-profile.ts'
import { loadTypeScript } from '../build/typescript.ts'
import { columnsOf } from '../toolkit/matrix/columns.ts'

/** Where a profile states the sizes of a target: the path of the member that has them. */
const places: Readonly<Record<string, readonly string[]>> = {
  [outputName({ form: 'library' })]: ['library'],
  [outputName({ form: 'single' })]: ['library', 'single'],
  [outputName({ form: 'main' })]: ['main'],
}

/** Every profile of ours, by its path in the repository: its text with the sizes of its bundles now. */
export async function renewedSizes(): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const profile of standardProfiles()) {
    const file = `profiles/${profile}.ts`
    const sizes = new Map<string, number>()
    for (const { file: output, gzipBytes, gzipTotal } of await columnsOf(profile)) {
      const place = places[output] ?? []
      sizes.set([...place, 'gzipBytes'].join('.'), gzipBytes)
      sizes.set([...place, 'gzipTotal'].join('.'), gzipTotal)
    }
    texts.set(file, withSizes(readFileSync(join(root, file), 'utf8'), sizes))
  }
  return texts
}

/**
 * The text of a profile with other numbers, by the path of their member. Members that it does not have are not added.
 */
export function withSizes(text: string, sizes: ReadonlyMap<string, number>): string {
  const TS = loadTypeScript()
  const edits: { readonly from: number; readonly to: number; readonly size: number }[] = []
  const visit = (node: ts.Node, path: readonly string[]): void => {
    if (TS.isPropertyAssignment(node) && (TS.isIdentifier(node.name) || TS.isStringLiteral(node.name))) {
      const here = [...path, node.name.text]
      const size = sizes.get(here.join('.'))
      if (size !== undefined && TS.isNumericLiteral(node.initializer))
        edits.push({ from: node.initializer.getStart(), to: node.initializer.end, size })
      TS.forEachChild(node, (child) => visit(child, here))
    } else TS.forEachChild(node, (child) => visit(child, path))
  }
  visit(TS.createSourceFile('profile.ts', text, TS.ScriptTarget.Latest, true), [])
  return edits.reduceRight(
    (all, { from, to, size }) => all.slice(0, from) + size.toLocaleString('en').replaceAll(',', '_') + all.slice(to),
    text,
  )
}
