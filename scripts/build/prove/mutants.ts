/** The same text with other defines, bundled over and over without reading every file each time. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Bundle, bundle, openBundler } from '../bundle.ts'
import type { DefineValue } from '../defines.ts'
import type { Generated } from '../generate.ts'
import { root } from '../paths.ts'

type Defines = Readonly<Record<string, DefineValue>>

/** Bundles one text with any defines. */
export interface Mutants {
  /** One at a time. */
  bundle(defines: Defines): Promise<Bundle>
  close(): Promise<void>
}

/**
 * Opens a bundler of mutants. The bundler forgets what it has parsed when a define changes, but a define that no file
 * names cannot change any: then only the generated text is folded with it. A mutant whose files do name it is bundled anew.
 */
export async function openMutants(text: Generated, format: Bundle['format']): Promise<Mutants> {
  const session = await openBundler(text, format)
  const { defines: before } = text.target
  return {
    bundle: async (defines) => {
      const mutated = { ...text, target: { ...text.target, defines } }
      const made = await session.bundle(mutated)
      const changed = Object.keys(defines).filter((name) => defines[name] !== before[name])
      const files = Object.keys(made.metafile.inputs).filter(
        (input) => !/^(?:generated|wasm|builtin):|\/entry\.ts$/.test(input),
      )
      const named = files.some((file) => changed.some((name) => definesIn(file).has(name)))
      return named ? bundle(mutated, format) : made
    },
    close: () => session.close(),
  }
}

const seen = new Map<string, ReadonlySet<string>>()

/** What could be a define in a file; a name that is written with escapes is no define to the check of defines either. */
function definesIn(file: string): ReadonlySet<string> {
  let names = seen.get(file)
  if (names === undefined) {
    seen.set(file, (names = new Set(readFileSync(resolve(root, file), 'utf8').match(/__[A-Z0-9_]+__/g) ?? [])))
  }
  return names
}
