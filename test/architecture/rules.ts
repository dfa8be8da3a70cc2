/** Which folders may import which. */
import type { Edge } from './import-graph.ts'

/** The one npm package of the core. */
const corePackage = 'itty-router'

/**
 * Families that are libraries: they have no feature, import only the core, packages and each other, and every plugin
 * may import their code. `protocol` defines what is signed and in which form: this is the same for all nodes and
 * clients, so a capability must not vary it. Every client of the service is built on `client`, the console's page
 * included.
 */
const libraries: readonly string[] = ['protocol', 'client']

/**
 * The families, each below those that follow. A family takes types of those below it alone, so that it can be read, and
 * changed, without those above. What it needs of one above is a capability of its own, which the other provides.
 */
export const order: readonly string[] = [
  ...['store', 'transport', 'probes', 'auth', 'realtime', 'sync', 'telemetry', 'cluster', 'kbd', 'peer'],
  ...['admin', 'openapi', 'cli', 'console'],
]

/** The imports that break a rule, each as a line that names the rule. */
export function violations(edges: readonly Edge[]): string[] {
  return edges.flatMap((edge) => {
    const why = refuse(edge)
    return why === undefined ? [] : [`${edge.from} → ${edge.to}: ${why}`]
  })
}

function refuse({ from, to, typeOnly }: Edge): string | undefined {
  const [area, family] = from.split('/') as [string, string]
  const target = areaOf(to)
  switch (area) {
    case 'core':
      if (target === 'core' || to.split('/')[0] === corePackage) return undefined
      return `the core imports itself and ${corePackage}, nothing else`
    case 'plugins':
      if (target === 'core' || target === 'package' || target === 'built-in') return undefined
      if (target !== 'plugins') return 'a plugin imports the core, itself and packages'
      if (to.split('/')[1] === family || libraries.includes(to.split('/')[1]!)) return undefined
      if (libraries.includes(family)) return 'a library imports the core, packages and other libraries'
      if (!/\/(?:api|capabilities)\.ts$/.test(to))
        return 'a plugin imports nothing of another but its api.ts and capabilities.ts'
      if (!typeOnly) return 'a plugin imports types of another, no values: import type'
      if (order.indexOf(to.split('/')[1]!) < order.indexOf(family)) return undefined
      return 'a family imports types of the families below it'
    case 'profiles':
      if (target === 'core' || target === 'plugins' || target === 'profiles') return undefined
      return 'profiles are data: they import the core and plugins'
    case 'scripts':
      if (to === 'typescript' && !typeOnly)
        return 'TypeScript is required, by typescript.ts: an import reads all of it twice'
      return target === 'test' ? 'no script needs the tests' : undefined
    default:
      return undefined
  }
}

function areaOf(to: string): string {
  if (to.startsWith('node:')) return 'built-in'
  const area = to.split('/')[0]!
  return ['core', 'plugins', 'profiles', 'scripts', 'test'].includes(area) && /\.tsx?$/.test(to) ? area : 'package'
}
