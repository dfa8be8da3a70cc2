/** The esbuild options of a target. */
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import type { BuildOptions } from 'esbuild'
import { placeName } from '../generate/program-file.ts'
import { aliases } from '../modules/resolve-hook.ts'
import { buildDir } from '../paths.ts'
import { toDefineText } from '../plan/defines.ts'
import type { Form, TargetPlan } from '../plan/target-plan.ts'

/**
 * The options for a target's bundle. Node's built-ins stay external on every platform: the proof checks whether they
 * are allowed, because the proof can report the chain of imports.
 */
export function esbuildOptions(target: TargetPlan, split: boolean = isSplit(target)): BuildOptions {
  const node = target.platform === 'node'
  return {
    bundle: true,
    // A program is CommonJS and loads externals with `require`: an ES import of `node:http` makes Node read all exports
    // of `node:http`, which loads Node's WebSocket and doubles the start time of bare Node.
    format: target.form === 'main' ? 'cjs' : 'esm',
    platform: node ? 'node' : 'neutral',
    target: 'es2023',
    // Prefer ES modules, because esbuild removes their unused parts (hash-wasm shrinks from 217 to 21 KB).
    mainFields: ['module', 'main'],
    conditions: node ? ['node', 'import'] : ['import', 'browser'],
    minify: true,
    // The only relevant option of tsconfig.json. The file itself is ignored, because it applies only to files in this
    // project's folder.
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    // With only one byte per character, V8 scans the text a third faster than with a single ellipsis in it.
    charset: 'ascii',
    legalComments: 'none',
    define: { ...toDefineText(target.defines), ...(node && placeOf(target.form)) },
    external: [...builtins, ...target.externals],
    alias: { ...aliases, ...(target.openapi !== undefined && { '#openapi.json': openApiFile(target) }) },
    ...bannerOf(target.form, node),
    ...(split && splitOptions),
  }
}

/**
 * Whether a target is split into several files. Only a library for the web is split: rarely used code is loaded on
 * first use. A program is one file, because it is delivered as one; platforms without imports need one file too.
 */
export function isSplit({ form, platform }: Pick<TargetPlan, 'form' | 'platform'>): boolean {
  return form === 'library' && platform === 'web'
}

/**
 * The entry keeps its name. Every other code file has a content hash in its name, so that a cache never mixes two
 * versions.
 */
const splitOptions: BuildOptions = {
  splitting: true,
  outdir: '.',
  entryNames: 'index',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]',
  outExtension: { '.js': '.mjs' },
}

/** The first line of a bundle, so that the same code behaves the same in both formats. */
function bannerOf(form: Form, node: boolean): Pick<BuildOptions, 'banner'> {
  // Strict mode, as in a module: `this` of a plain call is undefined, and not the global object.
  if (form === 'main') return { banner: { js: '"use strict";' } }
  // CommonJS packages inside an ES module bundle still call `require` for built-ins.
  return node ? { banner: { js: requireBanner } } : {}
}

/**
 * The place of a module in a bundle for Node is that of the built file, as for `require`. Other platforms have no
 * files, so the proof refuses code that asks for its place there.
 */
function placeOf(form: Form): Readonly<Record<string, string>> {
  const place = form === 'main' ? placeName : 'import.meta'
  const members = form === 'main' ? ['url', 'dirname', 'filename'] : []
  return {
    ...Object.fromEntries(members.map((member) => [`import.meta.${member}`, `${place}.${member}`])),
    __dirname: `${place}.dirname`,
    __filename: `${place}.filename`,
  }
}

/** The path to which `generate` writes the OpenAPI document of a target. */
function openApiFile({ form, manifest: { profile } }: TargetPlan): string {
  return join(buildDir(profile), form, 'openapi.json')
}

/** Packages that the features of a target keep outside the bundle. */
export function externalsOf(target: TargetPlan): string[] {
  return [...new Set(target.features.flatMap(({ feature }) => feature.externals ?? []))].sort()
}

/** Every name of a Node built-in, with and without `node:`. */
const builtins: readonly string[] = ['node:*', ...builtinModules]

/** The name that {@link requireBanner} adds to the scope of all code of a bundle. */
export const requireName = '__svcRequire'

/** The first line of ES module bundles for Node. */
export const requireBanner: string = `import{createRequire as ${requireName}}from'node:module';const require=${requireName}(import.meta.url);`
