/** The text of openapi.json, for every route of the matrix. */

import { pathToFileURL } from 'node:url'
import type { RouteSpec } from '../../core/http/route.ts'
import type { Plugin } from '../../core/plugin.ts'
import { matrixFeatures } from '../build/locate-feature.ts'
import { version } from '../build/version.ts'
import { openApiDocument } from './document.ts'

/** The document as it is checked in and served. */
export async function openApiText(): Promise<string> {
  const routes: RouteSpec[] = []
  for (const { plugin } of Object.values(matrixFeatures)) {
    const module = typeof plugin === 'object' ? Object.values(plugin)[0] : plugin
    if (module === undefined) continue
    const loaded = (await import(pathToFileURL(module).href)) as { plugin: Plugin }
    routes.push(...(loaded.plugin.routes ?? []))
  }
  return `${JSON.stringify(openApiDocument(routes, version), null, 2)}\n`
}
