/** What the plugins of one kernel have contributed so far: capabilities, routes, guards, hooks. */

import { documented } from '../declare/described.ts'
import { type Registry, whoHas } from '../declare/manifest.ts'
import { type MetricSpec, metricsOf } from '../declare/metric.ts'
import type { Capabilities, CapabilityName, Plugin } from '../declare/plugin.ts'
import type { Guard } from '../http/guard.ts'
import type { Hook } from '../http/hooks.ts'
import { checkAuth } from '../http/public-routes.ts'
import { type Handler, type Route, type RouteSpec, routeId, type SurfaceName } from '../http/route.ts'
import { kernelFail } from './catalogue.ts'
import type { LogHub } from './log.ts'
import { nearest } from './nearest.ts'

/** Collects contributions and refuses those that collide or were not declared. */
export class Contributions {
  readonly routes: Route[] = []
  readonly guards: Map<SurfaceName, Guard> = new Map()
  readonly hooks: Map<SurfaceName, Hook[]> = new Map()
  readonly #capabilities: Map<CapabilityName, unknown> = new Map()
  readonly #routeOwners: Map<string, Plugin> = new Map()
  readonly #guardOwners: Map<SurfaceName, Plugin> = new Map()
  readonly #hub: LogHub
  readonly #absent: Readonly<Record<string, readonly string[]>>
  readonly #open: ReadonlySet<string>
  readonly #provided: ReadonlySet<CapabilityName>
  readonly #metrics: readonly MetricSpec[]

  constructor(hub: LogHub, { absent, open, plugins }: Pick<Registry<Plugin>, 'absent' | 'open' | 'plugins'>) {
    this.#hub = hub
    this.#metrics = metricsOf(plugins)
    this.#provided = new Set(plugins.flatMap(({ provides = [] }) => provides))
    this.#absent = absent.capabilities
    this.#open = new Set(open)
  }

  /** Paths of a surface that may be public. */
  open(name: SurfaceName): ReadonlySet<string> {
    return name === 'runtime' ? this.#open : new Set()
  }

  /** @throws SvcError `ERR_FEATURE_ABSENT` */
  get<N extends CapabilityName>(name: N): Capabilities[N] {
    const value = this.find(name)
    if (value !== undefined) return value
    const profiles = Object.hasOwn(this.#absent, name) ? this.#absent[name]! : []
    throw kernelFail('ERR_FEATURE_ABSENT', {
      message: `This profile does not have ${name}.`,
      hint: whoHas(profiles),
      details: { profiles },
    })
  }

  find<N extends CapabilityName>(name: N): Capabilities[N] | undefined {
    return this.#capabilities.get(name) as Capabilities[N] | undefined
  }

  /** Whether a plugin of this kernel provides the capability, set up or not. */
  isProvided(name: CapabilityName): boolean {
    return this.#provided.has(name)
  }

  /** @throws SvcError `ERR_KERNEL_STATE` while the provider is not set up */
  getLater<N extends CapabilityName>(plugin: Plugin, name: N): Capabilities[N] {
    const value = this.find(name)
    if (value !== undefined) return value
    throw kernelFail('ERR_KERNEL_STATE', {
      message: `"${plugin.name}" uses ${name} before it is provided.`,
      hint: documented('What is named in `requiresLater` or `wantsLater` is there from `onStart` on.'),
    })
  }

  provide<N extends CapabilityName>(plugin: Plugin, name: N, value: Capabilities[N]): void {
    if (!plugin.provides?.includes(name)) throw undeclared(plugin, name, 'provides')
    this.#capabilities.set(name, value)
    if (name === 'MetricSink') (value as Capabilities['MetricSink']).declare(this.#metrics)
    if (name === 'LogSink' && !this.#hub.attached) this.#hub.attach(value as Capabilities['LogSink'])
  }

  route(plugin: Plugin, spec: RouteSpec, handler: Handler | false): void {
    const id = `${spec.surface} ${routeId(spec)}`
    const shape = shapeOf(spec)
    if (!plugin.routes?.includes(spec)) {
      throw kernelFail('ERR_ROUTE_UNDECLARED', {
        message: `"${plugin.name}" binds ${id}, which is not in its routes.`,
        hint: `${documented('Name the route in `routes` of the plugin, and bind that very object.') ?? ''}${meant(routeId(spec), plugin.routes?.map(routeId))}`,
      })
    }
    const owner = this.#routeOwners.get(shape)
    if (owner !== undefined) {
      throw kernelFail('ERR_ROUTE_TWICE', { message: `Both "${owner.name}" and "${plugin.name}" bind ${id}.` })
    }
    checkAuth(plugin.name, spec, this.open(spec.surface))
    this.#routeOwners.set(shape, plugin)
    if (handler) this.routes.push({ ...spec, handler })
  }

  guard(plugin: Plugin, surface: SurfaceName, guard: Guard): void {
    const owner = this.#guardOwners.get(surface)
    if (owner !== undefined) {
      throw kernelFail('ERR_GUARD_TWICE', {
        message: `Both "${owner.name}" and "${plugin.name}" guard the ${surface} surface.`,
        hint: documented('Leave one of their features out of the profile.'),
      })
    }
    this.#guardOwners.set(surface, plugin)
    this.guards.set(surface, guard)
  }

  hook(surface: SurfaceName, hook: Hook): void {
    const hooks = this.hooks.get(surface)
    if (hooks === undefined) this.hooks.set(surface, [hook])
    else hooks.push(hook)
  }

  /**
   * Checks that a plugin contributed everything that it declared.
   * @throws SvcError `ERR_CAPABILITY_NOT_PROVIDED`, `ERR_ROUTE_UNBOUND`
   */
  checkComplete(plugin: Plugin): void {
    for (const name of plugin.provides ?? []) {
      if (!this.#capabilities.has(name)) {
        throw kernelFail('ERR_CAPABILITY_NOT_PROVIDED', {
          message: `"${plugin.name}" declares that it provides ${name} and does not.`,
        })
      }
    }
    for (const spec of plugin.routes ?? []) {
      if (this.#routeOwners.get(shapeOf(spec)) !== plugin) {
        throw kernelFail('ERR_ROUTE_UNBOUND', {
          message: `"${plugin.name}" declares ${spec.surface} ${routeId(spec)} and does not bind it.`,
        })
      }
    }
  }
}

/** The key under which two routes collide. Names of parameters are left out, because no request shows them. */
function shapeOf(spec: RouteSpec): string {
  return `${spec.surface} ${routeId(spec).replace(/:\w+/g, ':')}`
}

/** The error for a capability that the plugin's declaration does not name. */
export function undeclared(
  plugin: Plugin,
  name: string,
  list: 'requires' | 'wants' | 'requiresLater' | 'wantsLater' | 'provides',
): Error {
  return kernelFail('ERR_CAPABILITY_UNDECLARED', {
    message: `"${plugin.name}" uses ${name}, which is not in its \`${list}\`.`,
    hint: `Add '${name}' there, or to \`needs\` of defineFeature.${meant(name, plugin[list])}`,
  })
}

function meant(name: string, names: readonly string[] = []): string {
  const near = nearest(name, names)
  return near === undefined ? '' : ` Or did you mean ${near}?`
}
