/** Checks at build time that the plugins of a target fit together, so that the program does not fail at start. */

import type { Plugin } from '../../../../core/declare/plugin.ts'
import { nearest } from '../../../../core/kernel/nearest.ts'
import { orderPlugins } from '../../../../core/kernel/order.ts'
import type { Problem } from '../../errors.ts'
import { type AbsentIndex, pathsOf } from '../absence-hints.ts'
import type { PlannedFeature } from '../plan-feature.ts'

/** The planned features of one target. */
export interface PlannedTarget {
  /** Suffix of messages, if a profile has several targets. */
  readonly where: string
  readonly features: readonly PlannedFeature[]
}

/**
 * Reports capabilities that a plugin requires and no plugin of its target provides. `index` lists what every existing
 * feature provides; `targets` are all targets of the profile.
 */
export function checkCapabilities(targets: readonly PlannedTarget[], index: readonly AbsentIndex[]): Problem[] {
  return targets.flatMap(({ where, features }) => {
    const provided = new Set(features.flatMap(({ plugin }) => plugin?.provides ?? []))
    return features.flatMap(({ id, plugin }) =>
      [...(plugin?.requires ?? []), ...(plugin?.requiresLater ?? [])]
        .filter((name) => !provided.has(name))
        .map(
          (name): Problem => ({
            code: 'ERR_FEATURE_REQUIRES',
            message:
              `The plugin "${plugin!.name}" of ${id} requires the capability ` +
              `${name}, which no plugin of the profile provides${where}.`,
            hint: providerHint(name, id, targets, index),
          }),
        ),
    )
  })
}

function providerHint(
  name: string,
  id: string,
  targets: readonly PlannedTarget[],
  index: readonly AbsentIndex[],
): string {
  const elsewhere = targets
    .flatMap(({ features }) => features)
    .find(({ plugin }) => plugin?.provides?.includes(name as never))
  if (elsewhere !== undefined)
    return `${elsewhere.id} provides it to the program alone: move ${id} to the features of \`main\`.`
  const providers = index.filter(({ capabilities }) => capabilities.includes(name)).map((one) => one.id)
  if (providers.length > 0)
    return (
      `${providers.join(' and ')} ${providers.length === 1 ? 'provides' : 'provide'} ` +
      `it: add '${providers[0]}' to the features, or take ${id} out.`
    )
  const near = nearest(
    name,
    index.flatMap(({ capabilities }) => capabilities),
  )
  if (near !== undefined) return `Did you mean ${near}?`
  return (
    `Nothing that the build knows provides it: write a plugin with \`provides: ` +
    `['${name}']\`, or need it as 'optional' where it can be done without.`
  )
}

/**
 * Reports plugins of the user that use the name or a route path of a standard feature, present or not. Otherwise a
 * client of that path would meet another contract, and log lines under that name would come from another plugin.
 */
export function checkReserved(
  targets: readonly PlannedTarget[],
  index: readonly AbsentIndex[],
  ownFeatures: Readonly<Record<string, unknown>>,
): Problem[] {
  const ours = index.filter(({ id }) => !(id in ownFeatures))
  const isOurs = (name: string): boolean => ours.some(({ id, plugins }) => id === name || plugins.includes(name))
  return targets.flatMap(({ features }) =>
    features.flatMap(({ id, plugin }): Problem[] => {
      if (plugin === undefined || !(id in ownFeatures)) return []
      const names: Problem[] = isOurs(plugin.name)
        ? [
            {
              code: 'ERR_PROFILE_INVALID',
              message:
                `The plugin of ${id} is named "${plugin.name}", which ` +
                'is the name of a feature or a plugin of the matrix.',
              hint: `Name it after yourself, such as 'edge.${plugin.name}'.`,
            },
          ]
        : []
      const paths = pathsOf(plugin).flatMap((path): Problem[] => {
        const owner = ours.find(({ paths }) => paths.includes(path))
        if (owner === undefined) return []
        const [surface, shape] = path.split(' ')
        return [
          {
            code: 'ERR_PROFILE_INVALID',
            message:
              `The plugin of ${id} takes the path ${shape} of the ` +
              `${surface} surface, which is that of ${owner.id}.`,
            hint: `Choose a path of your own, such as /edge${shape}, or add '${owner.id}' to the features.`,
          },
        ]
      })
      return [...names, ...paths]
    }),
  )
}

/** Reports routes that two plugins of a target declare. */
export function checkRoutes(targets: readonly PlannedTarget[]): Problem[] {
  return targets.flatMap(({ where, features }) => {
    const owners = new Map<string, string>()
    return features.flatMap(({ id, plugin }) =>
      (plugin?.routes ?? []).flatMap(({ surface, method, path }): Problem[] => {
        // Two patterns that differ in the names of their parameters match the same paths.
        const route = `${surface} ${method} ${path.replace(/:\w+/g, ':')}`
        const other = owners.get(route)
        owners.set(route, id)
        if (other === undefined) return []
        const message = `Both ${other} and ${id} declare the route ${method} ${path} of the ${surface} surface${where}.`
        return [{ code: 'ERR_PROFILE_INVALID', message, hint: 'Choose another path for one of them.' }]
      }),
    )
  })
}

/**
 * Runs the kernel's checks of the plugin order, such as the check for plugins that require each other.
 * @throws SvcError `ERR_PLUGIN_DUPLICATE`, `ERR_CAPABILITY_TWICE`, `ERR_PLUGIN_CYCLE`
 */
export function requireOrder({ features }: PlannedTarget): void {
  orderPlugins(features.flatMap(({ plugin }): Plugin[] => (plugin === undefined ? [] : [plugin])))
}
