/** Finds the meaning of a word in an account: a feature, a setting, a route, a package, a built-in or a file. */
import { builtinModules, isBuiltin } from 'node:module'
import { nearest } from '../../../core/kernel/nearest.ts'
import type { Account } from '../../build/account/account.ts'
import { toolFail } from '../errors.ts'

/** The subject of a question. */
export interface Subject {
  readonly kind: 'feature' | 'setting' | 'route' | 'package' | 'built-in' | 'file'
  readonly name: string
  /** The features that contain the subject. */
  readonly features: readonly string[]
  /** Whether an input of a bundle belongs to the subject. */
  readonly isInput: (file: string, owner: string) => boolean
}

/**
 * Finds the subject that a word names.
 * @throws SvcError `ERR_TOOL_UNKNOWN`
 */
export function subjectOf(account: Account, word: string): Subject {
  const subject =
    feature(account, word) ??
    setting(account, word) ??
    route(account, word) ??
    pack(account, word) ??
    builtin(account, word) ??
    file(account, word)
  if (subject !== undefined) return subject
  const near = nearest(word, [
    ...Object.entries(account.features).flatMap(([id, { settings, packages, routes }]) => [
      id,
      ...Object.keys(settings),
      ...packages,
      ...routes.flatMap((route) => [route, route.slice(route.lastIndexOf(' ') + 1)]),
    ]),
    ...Object.values(account.packages).map(({ name }) => name),
    ...builtinModules.map((name) => `node:${name.replace(/^node:/, '')}`),
    ...account.bundles.flatMap(({ inputs }) => Object.keys(inputs)),
  ])
  throw toolFail('ERR_TOOL_UNKNOWN', {
    message: `Nothing that this build knows is called "${word}".`,
    hint:
      near === undefined
        ? 'Name a feature, a setting, a route, a package, a built-in or a file.'
        : `Did you mean ${near}?`,
  })
}

function feature({ features }: Account, word: string): Subject | undefined {
  const [id = '', variant] = word.split('=')
  if (!Object.hasOwn(features, id)) return undefined
  const owners = variant === undefined ? undefined : `variant:${word}`
  const isInput = (_: string, owner: string): boolean =>
    owners === undefined ? owner === `feature:${id}` || owner.startsWith(`variant:${id}=`) : owner === owners
  return { kind: 'feature', name: word, features: [id], isInput }
}

function setting(account: Account, word: string): Subject | undefined {
  const key = word.startsWith('SVC_') ? word.slice('SVC_'.length).toLowerCase().replaceAll('__', '.') : word
  return ofFeatures(account, 'setting', key, ({ settings }) => Object.hasOwn(settings, key))
}

function route(account: Account, word: string): Subject | undefined {
  const fits = (one: string): boolean => one === word || one.endsWith(` ${word}`)
  const name = Object.values(account.features).flatMap(({ routes }) => routes.filter(fits))[0]
  return name === undefined ? undefined : ofFeatures(account, 'route', word, ({ routes }) => routes.some(fits))
}

/** A subject that belongs to a feature's plugin as a whole, and not to single files. */
function ofFeatures(
  { features }: Account,
  kind: Subject['kind'],
  name: string,
  has: (one: Account['features'][string]) => boolean,
): Subject | undefined {
  const ids = Object.keys(features).filter((id) => has(features[id]!))
  if (ids.length === 0) return undefined
  const isInput = (_: string, owner: string): boolean =>
    ids.some((id) => owner === `feature:${id}` || owner.startsWith(`variant:${id}=`))
  return { kind, name, features: ids, isInput }
}

function pack({ features, packages }: Account, word: string): Subject | undefined {
  const places = Object.keys(packages).filter(
    (place) => place === word || place.endsWith(`node_modules/${word}`) || packages[place]!.name === word,
  )
  const ids = Object.keys(features).filter((id) => features[id]!.packages.includes(word))
  if (places.length === 0 && ids.length === 0) return undefined
  const inside = [...places, `node_modules/${word}`].map((place) => `${place}/`)
  // A nested package is a different package.
  const isInput = (file: string): boolean =>
    inside.some((folder) => file.startsWith(folder) && !file.slice(folder.length).includes('node_modules/'))
  return { kind: 'package', name: word, features: ids, isInput }
}

function builtin({ bundles }: Account, word: string): Subject | undefined {
  const bare = word.replace(/^node:/, '')
  if (!isBuiltin(`node:${bare}`)) return undefined
  const imports = (file: string): boolean =>
    bundles.some(({ inputs }) => inputs[file]?.imports.some((one) => one === `node:${bare}` || one === bare) === true)
  return { kind: 'built-in', name: `node:${bare}`, features: [], isInput: imports }
}

function file({ bundles, features }: Account, word: string): Subject | undefined {
  const files = new Set(bundles.flatMap(({ inputs, assets }) => [...Object.keys(inputs), ...Object.keys(assets)]))
  const names = files.has(word) ? [word] : [...files].filter((name) => name.endsWith(`/${word.replace(/^\.\//, '')}`))
  const path = names[0] ?? word
  const ids = Object.keys(features).filter((id) =>
    features[id]!.owns.some((prefix) => path === prefix || (prefix.endsWith('/') && path.startsWith(prefix))),
  )
  if (names.length === 0 && ids.length === 0) return undefined
  return { kind: 'file', name: path, features: ids, isInput: (one) => one === path }
}
