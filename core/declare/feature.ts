/**
 * A feature as one value. It is a plugin, as the kernel reads it, with what the toolkit reads beside it: {@link rowOf}
 * makes its row of the matrix.
 */

import type { MachineRefusal, SettingRefusal } from '../kernel/settings/resolve.ts'
import type { Awaitable } from '../kernel/values.ts'
import type { ErrorCatalogue } from './errors.ts'
import type { Feature, FeatureId, Features } from './matrix.ts'
import type { MetricsTable } from './metric.ts'
import type { Capabilities, CapabilityName, Plugin, PluginContext, StorePart } from './plugin.ts'
import { type RouteMaker, type RouteValue, toRoute } from './route.ts'
import type { SettingsOf, SettingsTable } from './settings.ts'

/**
 * How a capability is needed. `required`: some plugin must provide it. `optional`: it is used if some plugin provides
 * it. `later`: it is used only from `onStart` on and does not count for the order of set-up, so that two features may
 * use each other.
 */
export type Need = 'required' | 'optional' | 'later' | 'optional later'

/** The needs of a feature, by the name of the capability. */
export type Needs = { readonly [N in CapabilityName]?: Need }

type Got<T, N> = N extends 'required'
  ? T
  : N extends 'optional'
    ? T | undefined
    : N extends 'later'
      ? () => T
      : () => T | undefined

/** What `setup` of a feature gets. */
export interface SetupContext<
  S extends SettingsTable,
  N extends Needs,
  P extends CapabilityName,
  M extends MetricsTable,
  V,
> extends Omit<
    PluginContext<S, never, never, P, never, never, M>,
    'use' | 'find' | 'useLater' | 'findLater' | 'route'
  > {
  /** What the module of the chosen variant exports as `variant`; undefined for a feature without variants. */
  readonly variant: V
  /** A capability of `needs`. For one that is needed later it is a function, to be called from `onStart` on. */
  get<K extends keyof N & CapabilityName>(name: K): Got<Capabilities[K], N[K]>
}

/** What readers and the toolkit need of a feature, in `described`. */
export type About<Id extends string, V = undefined> = Omit<Feature<Id>, 'at'> & {
  /**
   * `import.meta.url` of the module that exports the feature as `feature`. A profile that names the module needs none.
   */
  readonly at?: string
  /** Implementations of which a profile chooses one: modules that export what differs as `variant`. `setup` gets it. */
  readonly variants?: Readonly<Record<string, () => Promise<{ readonly variant: V }>>>
} & EachVariant<Id>

/** All variants that the matrix names, if the compiler knows the feature. */
type EachVariant<Id extends string> = Id extends FeatureId
  ? { readonly variants?: Readonly<Record<Extract<Features[Id], string>, unknown>> }
  : unknown

/**
 * The parts of a feature. Their order matters to the compiler: the types of `setup` follow from the parts above it,
 * those of `routes` from what `setup` returns.
 */
export interface FeatureDefinition<
  Id extends string,
  S extends SettingsTable,
  N extends Needs,
  P extends CapabilityName,
  M extends MetricsTable,
  V,
  State,
> {
  readonly id: Id
  /** The name of its plugin, from which the target of its log follows, if it is not the id. */
  readonly name?: string
  /** The version of a feature that is not part of this project. */
  readonly version?: string
  readonly about?: About<Id, V> | undefined
  readonly needs?: N
  /** Capabilities that `setup` provides before it ends. */
  readonly provides?: readonly P[]
  readonly settings?: S
  /** Validates combinations of settings, after each one has been validated alone. */
  checkSettings?(settings: SettingsOf<S>, all: Readonly<Record<string, unknown>>): readonly SettingRefusal[]
  /** Looks on this machine for what a start with valid settings would refuse, as {@link Plugin.checkMachine}. */
  checkMachine?(settings: SettingsOf<S>, storeParts: readonly StorePart[]): Awaitable<readonly MachineRefusal[]>
  readonly metrics?: M
  readonly errors?: Pick<ErrorCatalogue, 'rows'>
  /** Connects the feature with others. What it returns is the state that the handlers of its routes get. */
  setup?(ctx: SetupContext<S, N, P, M, V>): Awaitable<State>
  routes?(route: RouteMaker<State>): readonly RouteValue<State>[]
  /** Whether its routes are served. If not, requests get the answer of a profile without them. */
  serves?(state: State): boolean
}

/** A feature. `V` is what its variants export, `P` the names of the capabilities that it provides. */
export interface FeatureValue<Id extends string = string, V = never, P extends CapabilityName = CapabilityName>
  extends Plugin<SettingsTable, CapabilityName, CapabilityName, P> {
  readonly about: About<Id, V> | undefined
  /** The feature in one of its variants. A feature without variants is complete without it. */
  with(variant: V): Plugin
  /** Its routes, with what they say to readers. */
  readonly made: readonly RouteValue<never>[]
  /** False if it has commands, code or exports alone: then nothing of it is registered in a process. */
  readonly isPlugin: boolean
}

/**
 * Declares a feature.
 *
 * @example
 * ```ts
 * import { defineFeature, json, text } from 'svc/plugin'
 *
 * export const feature = defineFeature({
 *   id: 'edge.quote',
 *   settings: { 'edge.author': text({ default: 'Mies', summary: 'Whose quotes.' }) },
 *   setup: ({ settings }) => ({ author: settings['edge.author'] }),
 *   routes: (route) => [
 *     route('GET /edge/quote/:number', {
 *       handler: ({ params }, { author }) => json(200, { author, number: params.number }),
 *     }),
 *   ],
 * })
 * feature.routes?.[0]?.path // → '/edge/quote/:number'
 * ```
 */
export function defineFeature<
  const Id extends string,
  const S extends SettingsTable = Record<never, never>,
  const N extends Needs = Record<never, never>,
  const P extends CapabilityName = never,
  const M extends MetricsTable = Record<never, never>,
  V = never,
  State = undefined,
>(definition: FeatureDefinition<Id, S, N, P, M, V, State>): FeatureValue<Id, V, P> {
  const { id, name = id, needs = {}, setup, routes, serves, ...rest } = definition
  const made = routes?.(toRoute) ?? []
  const needed = Object.entries(needs) as [CapabilityName, Need][]
  const named = (need: Need): CapabilityName[] => needed.flatMap(([name, one]) => (one === need ? name : []))
  const withVariant = (variant?: V): Plugin => ({
    ...(rest as Partial<Plugin>),
    name,
    feature: id,
    requires: named('required'),
    wants: named('optional'),
    requiresLater: named('later'),
    wantsLater: named('optional later'),
    routes: made.map(({ spec }) => spec),
    async setup(ctx) {
      const state = await setup?.({ ...contextOf(ctx, Object.fromEntries(needed)), variant } as never)
      const bound = serves?.(state as State) !== false
      for (const { spec, handler } of made) ctx.route(spec, bound && ((request) => handler(request, state as State)))
    },
  })
  const { about, version: _version, ...does } = rest
  const isPlugin = setup !== undefined || made.length + needed.length + Object.keys(does).length > 0
  return Object.assign(withVariant(), { about, made, isPlugin, with: withVariant }) as unknown as FeatureValue<Id, V, P>
}

/** The kernel refuses a capability that is not in `needs` as one that is missing in `requires`. */
function contextOf(ctx: PluginContext, needs: Readonly<Record<string, Need>>): object {
  const getters = {
    required: ctx.use,
    optional: ctx.find,
    later: ctx.useLater,
    'optional later': ctx.findLater,
  }
  return { ...ctx, get: (name: CapabilityName) => getters[needs[name] ?? 'required'](name) }
}

/** A row of the matrix, with the feature that it was made from. */
export type MatrixRow = Feature &
  Pick<About<string, unknown>, 'variants'> & {
    /**
     * Paths of the runtime surface that belong to the feature and are answered without a credential: those of its
     * routes with `auth: 'none'`. They are matched exactly as received: not decoded, no trailing slash. In a profile
     * without the feature they are 404 and not 401, so that every form gives the same answer.
     */
    readonly open?: readonly string[]
    readonly value: FeatureValue<string, unknown>
  }

/** The row of a feature in the matrix. */
export function rowOf(value: FeatureValue<string, unknown>): MatrixRow {
  const { about } = value
  if (about?.at === undefined)
    throw new Error(`${value.name}: \`about\` needs \`at: import.meta.url\`, from which its modules are found`)
  const open = openPathsOf(value)
  return { ...about, ...(open.length > 0 && { open }), value } as MatrixRow
}

/** The public paths of a feature: those of its routes with `auth: 'none'`. */
export function openPathsOf({ routes = [] }: Pick<Plugin, 'routes'>): string[] {
  return routes.flatMap(({ surface, auth, path }) => (surface === 'runtime' && auth === 'none' ? path : []))
}
