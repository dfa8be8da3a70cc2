/**
 * Lets a profile or a plugin outside the project import `svc/plugin` while the toolkit loads the module: the specifier
 * resolves to the sources of this project, so that both use the same copy.
 */
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../paths.ts'

/** Specifiers that resolve to sources of this project. */
export const aliases: Readonly<Record<string, string>> = { 'svc/plugin': join(root, 'core/plugin-api.ts') }

registerHooks({
  resolve(specifier, context, next) {
    const target = aliases[specifier]
    return target === undefined ? next(specifier, context) : { url: pathToFileURL(target).href, shortCircuit: true }
  },
})
