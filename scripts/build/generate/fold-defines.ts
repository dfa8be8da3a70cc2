/**
 * Removes the imports that the defines of a generated file disable. The text is the same for every profile and imports
 * every module behind a define. First esbuild folds the defines, then each remaining `await import` becomes a static
 * import. The order matters: esbuild follows a static import even in a branch that turns out to be dead, and
 * `await import` in a live branch leaves wrapper code and does not work in CommonJS. `generate` copies this file beside
 * its output, so the only package that this file may import is esbuild.
 */
import { transform } from 'esbuild'

/** Values of defines, as source text. */
export type Defines = Readonly<Record<string, string>>

/** Returns the text without dead branches, and with static imports in place of the literal `await import(…)`. */
export async function foldDefines(text: string, defines: Defines): Promise<string> {
  const { code } = await transform(text, { loader: 'ts', target: 'es2023', define: { ...defines }, minifySyntax: true })
  const imports: string[] = []
  const hoist = (name: string, path: string, as: string, replacement: string = as): string => {
    imports.push(`import { ${name} as ${as} } from ${path};\n`)
    return replacement
  }
  const body = code
    .replace(IMPORT, (_, as, path, name, path2, name2, path3) => {
      if (as !== undefined) return hoist(name, path, as, '')
      if (path2 !== undefined) return hoist(name2, path2, `${name2}${imports.length}`)
      imports.push(`import ${path3};\n`)
      return ''
    })
    // Exports that the profile lacks are removed instead of exported as undefined.
    .replace(/^export const \w+ = void 0;\n/gm, '')
  return imports.join('') + body
}

/**
 * The three forms: `const a = (await import("p")).a;`, `(await import("p")).a` in an expression, `await import("p");`.
 */
const IMPORT = (() => {
  // As esbuild prints a string: with the quotes that need fewer escapes.
  const path = String.raw`import\(("(?:[^"\\]|\\.)+"|'(?:[^'\\]|\\.)+')\)`
  return new RegExp(
    String.raw`^const (\w+) = \(await ${path}\)\.(\w+);\n|\(await ${path}\)\.(\w+)|await ${path}[,;]\s*`,
    'gm',
  )
})()
