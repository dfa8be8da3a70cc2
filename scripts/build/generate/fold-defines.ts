/**
 * Makes the imports of a generated file follow its defines. The text is the same for every profile and imports every
 * module behind a define; esbuild folds the defines first, and each import that is left becomes a static one. The order
 * matters: a static import in a dead branch is followed before the branch is seen to be dead, and `await import` in a live
 * one leaves wrappers behind and is no CommonJS. This file is copied beside what `generate` writes, so it needs nothing but
 * esbuild.
 */
import { transform } from 'esbuild'

/** Values of defines, as source text. */
export type Defines = Readonly<Record<string, string>>

/** The text with its dead branches gone, and with static imports in place of the literal `await import(…)`. */
export async function foldDefines(text: string, defines: Defines): Promise<string> {
  const { code } = await transform(text, { loader: 'ts', target: 'es2023', define: { ...defines }, minifySyntax: true })
  const imports: string[] = []
  const hoist = (name: string, path: string, as: string, left: string = as): string => {
    imports.push(`import { ${name} as ${as} } from ${path};\n`)
    return left
  }
  const body = code
    .replace(IMPORT, (_, as, path, name, path2, name2, path3) => {
      if (as !== undefined) return hoist(name, path, as, '')
      if (path2 !== undefined) return hoist(name2, path2, `${name2}${imports.length}`)
      imports.push(`import ${path3};\n`)
      return ''
    })
    // What a profile lacks is not exported, rather than exported as undefined.
    .replace(/^export const \w+ = void 0;\n/gm, '')
  return imports.join('') + body
}

/** The three forms: `const a = (await import("p")).a;`, `(await import("p")).a` in an expression, `await import("p");`. */
const IMPORT = (() => {
  // As esbuild writes it: in the marks that need fewer escapes.
  const path = String.raw`import\(("(?:[^"\\]|\\.)+"|'(?:[^'\\]|\\.)+')\)`
  return new RegExp(
    String.raw`^const (\w+) = \(await ${path}\)\.(\w+);\n|\(await ${path}\)\.(\w+)|await ${path}[,;]\s*`,
    'gm',
  )
})()
