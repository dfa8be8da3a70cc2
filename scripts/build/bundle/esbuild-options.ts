/** How a target is bundled. */
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import type { BuildOptions } from 'esbuild'
import { aliases } from '../modules/resolve-hook.ts'
import { buildDir } from '../paths.ts'
import { toDefineText } from '../plan/defines.ts'
import type { Form, TargetPlan } from '../plan/target-plan.ts'

/**
 * The options that make a target's bundle. Node's built-ins stay outside on every platform: whether they are allowed is
 * for the proof to say, which can name the chain of imports.
 */
export function esbuildOptions(target: TargetPlan, split: boolean = isSplit(target)): BuildOptions {
  const node = target.platform === 'node'
  return {
    bundle: true,
    // A program is a script. It asks for what is outside by `require`: Node makes an import of `node:http` by reading all that
    // this exports, and so loads its WebSocket, with which the start of bare Node doubles.
    format: target.form === 'main' ? 'cjs' : 'esm',
    platform: node ? 'node' : 'neutral',
    target: 'es2023',
    // Prefer ES modules: their unused parts fall away (hash-wasm shrinks from 217 to 21 KB).
    mainFields: ['module', 'main'],
    conditions: node ? ['node', 'import'] : ['import', 'browser'],
    minify: true,
    // What counts of tsconfig.json, whose other options would count for files in this project's folder alone.
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    // One byte a character: V8 scans the text a third faster than one with a single ellipsis in it.
    charset: 'ascii',
    legalComments: 'none',
    define: toDefineText(target.defines),
    external: [...builtins, ...target.externals],
    alias: { ...aliases, ...(target.openapi !== undefined && { '#openapi.json': openApiFile(target) }) },
    ...bannerOf(target.form, node),
    ...(split && splitOptions),
  }
}

/**
 * Whether a target is several files: a library for the web loads what not everybody needs when it is first needed. A program
 * is one file, and so is what runs where there are no imports.
 */
export function isSplit({ form, platform }: Pick<TargetPlan, 'form' | 'platform'>): boolean {
  return form === 'library' && platform === 'web'
}

/** The entry keeps its name; another file of code is named after its content too, so that no two versions mix in a cache. */
const splitOptions: BuildOptions = {
  splitting: true,
  outdir: '.',
  entryNames: 'index',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]',
  outExtension: { '.js': '.mjs' },
}

/** What a bundle begins with, so that its code means the same in either format. */
function bannerOf(form: Form, node: boolean): Pick<BuildOptions, 'banner'> {
  // As in a module, `this` of a plain call is undefined, and not the global object.
  if (form === 'main') return { banner: { js: '"use strict";' } }
  // CommonJS packages inside an ES module bundle still call require for built-ins.
  return node ? { banner: { js: requireBanner } } : {}
}

/** Where `generate` writes the OpenAPI document of a target. */
function openApiFile({ form, manifest: { profile } }: TargetPlan): string {
  return join(buildDir(profile), form, 'openapi.json')
}

/** Packages that a target's features keep outside of the bundle. */
export function externalsOf(target: TargetPlan): string[] {
  return [...new Set(target.features.flatMap(({ feature }) => feature.externals ?? []))].sort()
}

/** Every name of a Node built-in, with and without `node:`. */
const builtins: readonly string[] = ['node:*', ...builtinModules]

/** The name that {@link requireBanner} brings into the scope of all code of a bundle. */
export const requireName = '__svcRequire'

/** What Node bundles in ES module form begin with. */
export const requireBanner: string = `import{createRequire as ${requireName}}from'node:module';const require=${requireName}(import.meta.url);`
