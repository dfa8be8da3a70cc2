/** Stage 2, generate: writes the registry and the entry of each bundle as readable TypeScript that builds without us. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { esbuildOptions } from './esbuild-options.ts'
import { buildDir, root } from './paths.ts'
import type { Plan, PlannedFeature, TargetPlan } from './plan.ts'

/** A generated bundle source: the files by name, and the folder they belong in. */
export interface Generated {
  readonly target: TargetPlan
  readonly folder: string
  readonly files: Readonly<Record<string, string>>
}

/** Generates every target of a plan and writes it to `.build/<profile>/<form>/`. */
export function generate(plan: Plan): Generated[] {
  return plan.targets.map((target) => {
    const generated = generateTarget(plan, target)
    rmSync(generated.folder, { recursive: true, force: true })
    mkdirSync(generated.folder, { recursive: true })
    for (const [name, text] of Object.entries(generated.files)) writeFileSync(join(generated.folder, name), text)
    return generated
  })
}

/** Generates one target in memory. */
export function generateTarget(plan: Plan, target: TargetPlan): Generated {
  const folder = join(buildDir(plan.profile.name), target.form)
  const head = `// Generated from profile ${plan.profile.name} (${target.form}). It builds without the toolkit: node build.mjs\n`
  const entry = target.form === 'library' ? libraryEntry(target, folder) : mainEntry(target, folder)
  return {
    target,
    folder,
    files: {
      'registry.ts': head + registry(target, folder),
      'entry.ts': head + entry,
      'build.mjs': head + standalone(target, folder),
      'worker-text.ts': readFileSync(new URL('./worker-text.ts', import.meta.url), 'utf8'),
    },
  }
}

function registry(target: TargetPlan, folder: string): string {
  const withPlugin = target.features.filter(({ module }) => module !== undefined)
  const names = new Map(withPlugin.map(({ id }) => [id, identifier(id)]))
  const lines = [
    `import type { Registry } from '${from(folder, 'core/manifest.ts')}'`,
    `import type { Plugin } from '${from(folder, 'core/plugin.ts')}'`,
    ...withPlugin.map(({ id, module }) => `import { plugin as ${names.get(id)} } from '${from(folder, module!)}'`),
    '',
    `const manifest: Registry['manifest'] = ${JSON.stringify(target.manifest, null, 2)}`,
    '',
    '/** The plugins of this profile, and what is known of those it lacks. */',
    'export const registry: Registry<Plugin> = {',
    '  manifest,',
    `  plugins: [${[...names.values()].join(', ')}],`,
    `  absent: ${JSON.stringify(target.absent)},`,
    '}',
  ]
  return `${lines.join('\n')}\n`
}

function libraryEntry(target: TargetPlan, folder: string): string {
  const exported = target.features.flatMap(({ feature }) => Object.entries(feature.exports ?? {}))
  const lines = [`import { registry } from './registry.ts'`]
  for (const [name, module] of exported) {
    lines.push(`import { ${name} as ${name}Of } from '${from(folder, module)}'`)
    lines.push(`export type * from '${from(folder, module)}'`)
  }
  lines.push('', 'type Rest<A extends readonly unknown[]> = A extends readonly [unknown, ...infer R] ? R : never', '')
  for (const [name] of exported) {
    lines.push(
      `export const ${name} = (...rest: Rest<Parameters<typeof ${name}Of>>): ReturnType<typeof ${name}Of> => ${name}Of(registry, ...rest)`,
    )
  }
  lines.push(
    '/** What this build contains. */',
    `export const manifest: (typeof registry)['manifest'] = registry.manifest`,
  )
  return `${lines.join('\n')}\n`
}

function mainEntry(target: TargetPlan, folder: string): string {
  const main = target.features.find(({ feature }) => feature.main !== undefined)
  if (main === undefined) return `throw new Error('No feature of this profile has a main module.')\n`
  const commands = target.features.filter(({ feature }) => feature.commands !== undefined)
  const lines = [
    `import { main } from '${from(folder, main.feature.main!)}'`,
    ...commands.map(
      ({ id, feature }) => `import { commands as ${identifier(id)} } from '${from(folder, feature.commands!)}'`,
    ),
    `import { registry } from './registry.ts'`,
    '',
    `void main(registry, [${commands.map(({ id }) => `...${identifier(id)}`).join(', ')}])`,
  ]
  return `${lines.join('\n')}\n`
}

/** A script that does what the bundle stage does, with esbuild and nothing else of this toolkit; it may move with the sources. */
function standalone(target: TargetPlan, folder: string): string {
  const { alias = {}, ...rest } = esbuildOptions(target)
  const relativeAlias = Object.fromEntries(Object.entries(alias).map(([name, path]) => [name, from(folder, path)]))
  const options = { ...rest, alias: relativeAlias, entryPoints: ['entry.ts'], outfile: outputName(target) }
  return `import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { workerText } from './worker-text.ts'

const options = ${JSON.stringify(options, null, 2)}
await build({ ...options, plugins: [workerText()], absWorkingDir: dirname(fileURLToPath(import.meta.url)) })
`
}

/** File name of a target in `dist/<profile>/`. */
export function outputName({ form }: Pick<TargetPlan, 'form'>): string {
  return form === 'library' ? 'index.mjs' : 'svc.mjs'
}

function identifier(id: PlannedFeature['id']): string {
  return id.replace(/[^a-zA-Z0-9]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase())
}

function from(folder: string, module: string): string {
  const path = relative(folder, resolve(root, module)).replaceAll('\\', '/')
  return path.startsWith('.') ? path : `./${path}`
}
