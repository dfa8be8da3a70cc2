/**
 * Removes what only readers and the toolkit need from the declarations of features: each call `described(…)`, and the
 * imports that only such calls use. The bundler alone would keep these imports, because it follows imports before it
 * drops code. `generate` copies this file beside its output, so the only package that it may import is esbuild.
 */
import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { resolve } from 'node:path'
import { type Message, type Plugin, transform } from 'esbuild'

/**
 * The esbuild plugin for modules that declare features and routes. `ownModules` are the modules of a user's features.
 */
export function withoutAbout(...ownModules: readonly string[]): Plugin {
  return {
    name: 'without-about',
    setup(context) {
      // One pattern for all, because each call of a plugin takes longer than reading a file. Only files: the text of a
      // data: URL can resemble such a path.
      const filter = new RegExp([DECLARES.source, ...ownModules.map((file) => `^${escaped(file)}$`)].join('|'))
      const folded = new Map<string, Folded>()
      context.onLoad({ filter, namespace: 'file' }, async ({ path }) => {
        const text = readFileSync(path, 'utf8')
        if (!CALL.test(text)) return undefined
        // Of a text that is not valid the bundler itself says what is wrong, and where.
        const result = await foldAbout(text, path).catch(() => undefined)
        if (result === undefined) return undefined
        folded.set(path, result)
        return { contents: result.code, loader: 'js' }
      })
      const folder = context.initialOptions.absWorkingDir ?? process.cwd()
      context.onEnd(({ errors, warnings }) => {
        for (const message of [...errors, ...warnings]) toSource(message, folder, folded)
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

/** What is bundled in place of a source text. */
export interface Folded {
  readonly code: string
  /** Where a place in it was in the source; undefined for text that the source does not have. */
  readonly sourceOf: (place: Place) => Place | undefined
}

/** A place in a text: a line, counted from 1, and a column, counted from 0. */
interface Place {
  readonly line: number
  readonly column: number
}

/** Folded texts by file, each kept until its file has another text. */
const foldedFiles = new Map<string, { readonly text: string; readonly folded: Promise<Folded> }>()

/**
 * The text of a file without what is described, and without the imports that nothing uses then. It is folded once for
 * all targets, their controls and the search for forms.
 */
export function foldAbout(text: string, path: string): Promise<Folded> {
  const before = foldedFiles.get(path)
  if (before?.text === text) return before.folded
  const folded = fold(text)
  foldedFiles.set(path, { text, folded })
  return folded
}

async function fold(text: string): Promise<Folded> {
  // The call of nothing is `undefined`, and esbuild drops its argument.
  const called = text.replaceAll(new RegExp(CALL, 'g'), 'undefined?.(')
  const first = await transform(called, { ...options, minifySyntax: true, tsconfigRaw: keepsImports(true) })
  const { code, map } = await transform(first.code, { ...options, tsconfigRaw: keepsImports(false) })
  return {
    code,
    sourceOf(place) {
      const between = placeBefore(map, place)
      return between && placeBefore(first.map, between)
    },
  }
}

/** Where a place was before a transformation. */
function placeBefore(map: string, { line, column }: Place): Place | undefined {
  const entry = new SourceMap(JSON.parse(map) as SourceMapPayload).findEntry(line - 1, column)
  return 'originalLine' in entry ? { line: entry.originalLine + 1, column: entry.originalColumn } : undefined
}

/** Changes the places of a message in folded texts to those in their sources. */
function toSource({ location, notes }: Message, folder: string, folded: ReadonlyMap<string, Folded>): void {
  for (const place of [location, ...notes.map((note) => note.location)]) {
    if (place === null) continue
    const file = resolve(folder, place.file)
    const source = folded.get(file)?.sourceOf(place)
    if (source === undefined) continue
    Object.assign(place, source, { lineText: readFileSync(file, 'utf8').split('\n')[source.line - 1] })
  }
}

const options = { loader: 'ts', target: 'es2023', sourcemap: 'external' } as const

/** Whether imports of values that nothing uses stay. Those of `import './x.ts'` always do. */
function keepsImports(verbatimModuleSyntax: boolean): { compilerOptions: { verbatimModuleSyntax: boolean } } {
  return { compilerOptions: { verbatimModuleSyntax } }
}
