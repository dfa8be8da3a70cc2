/**
 * Removes what only readers and the toolkit need from the declarations of features: each call `described(…)`, and the imports that
 * only such calls use. The bundler alone would keep these imports, because it follows imports before it drops code. `generate`
 * copies this file beside its output, so the only package that this file may import is esbuild.
 */
import { readFileSync } from 'node:fs'
import { type Plugin, transform } from 'esbuild'

/** The esbuild plugin for modules that declare features and routes. `own` are the modules of a user's features. */
export function withoutAbout(...own: readonly string[]): Plugin {
  return {
    name: 'without-about',
    setup(context) {
      // One pattern for all, because each call of a plugin takes longer than reading a file. Only files: the text of a data: URL can
      // resemble such a path.
      const filter = new RegExp([DECLARES.source, ...own.map((file) => `^${escaped(file)}$`)].join('|'))
      context.onLoad({ filter, namespace: 'file' }, async ({ path }) => {
        const text = readFileSync(path, 'utf8')
        if (!CALL.test(text)) return undefined
        // Of a text that is not valid the bundler itself says what is wrong, and where.
        const contents = await foldAbout(text).catch(() => undefined)
        return contents === undefined ? undefined : { contents, loader: 'js' }
      })
    },
  }
}

/** The names of modules that declare features and routes. A user's feature may be in a module of another name. */
const DECLARES = /\b(?:feature|routes)\.ts$/

const CALL = /(?<![.\w$])described\(/

const FEATURE = /\bdefineFeature\(/

/** Whether a bundle has another text of this file. */
export function isFolded(path: string, text: string): boolean {
  return CALL.test(text) && (DECLARES.test(path) || FEATURE.test(text))
}

function escaped(path: string): string {
  return path.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
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
