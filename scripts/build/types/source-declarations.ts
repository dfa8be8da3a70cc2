/**
 * The declarations of source files, each made from its own text alone, so that this takes milliseconds and not a
 * program.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type ts from 'typescript'
import { loadTypeScript, TS } from '../typescript.ts'
import type { DeclarationSource } from './type-closure.ts'

/** The compiler's options; the project's own sources are checked with `isolatedDeclarations`. */
function options(): ts.CompilerOptions {
  return {
    target: TS.ScriptTarget.ES2023,
    module: TS.ModuleKind.NodeNext,
    strict: true,
    declaration: true,
    isolatedDeclarations: true,
    jsx: TS.JsxEmit.ReactJSX,
    jsxImportSource: 'preact',
  }
}

/**
 * The text of the declarations of a TypeScript file, or of the declaration file itself. A type that the file does not
 * write is `any`.
 */
function declarationsOf(file: string): string {
  const text = readFileSync(file, 'utf8')
  if (isDeclaration(file)) return text
  return loadTypeScript().transpileDeclaration(text, { fileName: file, compilerOptions: options() }).outputText
}

/**
 * The file with the types of a module: TypeScript itself, or the declaration file beside a JavaScript file. Undefined
 * if there is none.
 */
export function typesFileOf(module: string): string | undefined {
  const [, stem = module, letter = ''] = /^(.*)\.([cm]?)(?:js|ts)x?$/.exec(module) ?? []
  const candidates = isDeclaration(module) || /\.[cm]?tsx?$/.test(module) ? [module] : []
  candidates.push(`${stem}.d.${letter}ts`, `${stem}.${letter}ts`)
  return candidates.find((file) => existsSync(file))
}

/** Finds declarations in files; modules of packages are left to the reader. */
export const fromFiles: DeclarationSource = {
  load: (file) => (existsSync(file) ? declarationsOf(file) : undefined),
  resolve: (module, from) => (module.startsWith('.') ? typesFileOf(resolve(dirname(from), module)) : undefined),
}

function isDeclaration(file: string): boolean {
  return /\.d\.[cm]?ts$/.test(file)
}
