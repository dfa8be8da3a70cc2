/**
 * Removes what only readers and the toolkit need from the declarations of features: each call `described(…)`, and the imports that
 * only such calls use. The bundler alone would keep these imports, because it follows imports before it drops code. `generate`
 * copies this file beside its output, so the only package that this file may import is esbuild.
 */
import { readFileSync } from 'node:fs'
import { type Plugin, transform } from 'esbuild'

/** The esbuild plugin for modules that declare features and routes. */
export function withoutAbout(): Plugin {
  return {
    name: 'without-about',
    setup(context) {
      // Only files: the text of a data: URL can resemble such a path.
      context.onLoad({ filter: DECLARES, namespace: 'file' }, async ({ path }) => {
        const text = readFileSync(path, 'utf8')
        return isFolded(path, text) ? { contents: await foldAbout(text), loader: 'js' } : undefined
      })
    },
  }
}

/** The names of such modules. One pattern for all, because each call of a plugin takes longer than reading a file. */
const DECLARES = /\b(?:feature|routes)\.ts$/

const CALL = /\bdescribed\(/

/** Whether a bundle has another text of this file. */
export function isFolded(path: string, text: string): boolean {
  return DECLARES.test(path) && CALL.test(text)
}

/** A source text without what is described, and without the imports that nothing uses then. */
export async function foldAbout(text: string): Promise<string> {
  // The call of nothing is `undefined`, and esbuild drops its argument.
  const called = text.replaceAll(new RegExp(CALL, 'g'), 'undefined?.(')
  const folded = await transform(called, { ...options, minifySyntax: true, tsconfigRaw: keepsImports(true) })
  const { code } = await transform(folded.code, { ...options, tsconfigRaw: keepsImports(false) })
  return code
}

const options = { loader: 'ts', target: 'es2023' } as const

/** Whether imports of values that nothing uses stay. Those of `import './x.ts'` always do. */
function keepsImports(verbatimModuleSyntax: boolean): { compilerOptions: { verbatimModuleSyntax: boolean } } {
  return { compilerOptions: { verbatimModuleSyntax } }
}
