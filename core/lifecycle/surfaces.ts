/** Compiles the surfaces from the routes and guards of the plugins and from the settings. */
import { bodyLimitOf } from '../http/body/body-limit.ts'
import { type SurfaceName, surfaceNames } from '../http/route.ts'
import { compileSurface, type Surface } from '../http/surface.ts'
import type { KernelParts } from './compose-kernel.ts'

/** All surfaces by name, including those without routes. */
export function compileSurfaces(parts: KernelParts): ReadonlyMap<SurfaceName, Surface> {
  const { composition, environment, hub, settings } = parts
  const origins = new Set(settings.values['server.cors_origins'] as readonly string[])
  const compile = (name: SurfaceName): Surface =>
    compileSurface({
      name,
      routes: composition.routes.filter((route) => route.surface === name),
      guard: composition.guards.get(name),
      open: composition.open(name),
      hooks: composition.hooks.get(name) ?? [],
      log: hub.logger('svc::http'),
      monotonic: environment.clock.monotonic,
      newId: () => environment.random.uuid().replaceAll('-', ''),
      bodyLimit: (route) => bodyLimitOf(route, settings.values),
      cors: name === 'runtime' && origins.size > 0 ? { origins } : undefined,
    })
  return new Map(surfaceNames.map((name) => [name, compile(name)]))
}
