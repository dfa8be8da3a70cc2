/**
 * Creates the software bill of materials of the bundled code, as CycloneDX 1.6. It contains no date, and its serial
 * number is computed from its content, so that the same build has the same bill.
 */
import { createHash } from 'node:crypto'
import { type Account, type BundleAccount, type InputAccount, packagesIn } from '../../build/account/account.ts'
import { npmPurl } from './purl.ts'

/** A component of a bill, with the members that are used here. */
export interface Component {
  readonly type: 'application' | 'library' | 'file' | 'platform'
  readonly 'bom-ref': string
  readonly name: string
  readonly group?: string
  readonly version?: string
  readonly purl?: string
  readonly licenses?: readonly { readonly expression: string }[]
  readonly hashes?: readonly { readonly alg: 'SHA-256' | 'SHA-512'; readonly content: string }[]
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}

/** The contents of an executable, except its bundle. */
export interface Carried {
  readonly node?: { readonly version: string; readonly sha256: string }
  readonly binaries?: readonly { readonly name: string; readonly sha256: string | null }[]
}

/** A bill of materials. */
export type Sbom = Readonly<Record<string, unknown>> & { readonly serialNumber: string }

/** Creates the bill of a build, or of one of its bundles. */
export function sbomOf(account: Account, file?: string, carried: Carried = {}): Sbom {
  const bundles = account.bundles.filter((one) => file === undefined || one.file === file)
  const self = `svc:${account.profile}`
  const packages = packagesIn(account, bundles)
  const components: Component[] = [
    ...packages.map((place) => packageComponent(account, place, bundles)),
    ...assetsIn(bundles),
    ...carriedComponents(carried),
  ]
  const body = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      tools: { components: [{ type: 'application', name: 'svc-toolkit', version: account.toolkit }] },
      component: {
        type: 'application',
        'bom-ref': self,
        name: 'svc',
        version: account.toolkit,
        properties: [
          { name: 'svc:profile', value: account.profile },
          ...bundles.flatMap(({ file: name, sha256, parts }) => [
            { name: `svc:bundle:${name}`, value: sha256 },
            ...Object.entries(parts).map(([part, one]) => ({ name: `svc:part:${name}:${part}`, value: one.sha256 })),
          ]),
        ],
      },
    },
    components,
    dependencies: dependenciesOf(self, packages, components, account, bundles),
  }
  return { ...body, serialNumber: serialOf(JSON.stringify(body)) }
}

function packageComponent({ packages }: Account, place: string, bundles: readonly BundleAccount[]): Component {
  const { name, version, licence, sha256, integrity } = packages[place]!
  const [group, plain] = name.startsWith('@') ? (name.split('/') as [string, string]) : [undefined, name]
  const bytes = bundles.map(({ file, inputs, externals }) => {
    const sum = Object.values(inputs).reduce((all, one) => all + (one.package === place ? one.bytes : 0), 0)
    return { name: `svc:bytes:${file}`, value: externals.includes(place) ? 'outside' : String(sum) }
  })
  return {
    type: 'library',
    'bom-ref': place,
    name: plain,
    ...(group !== undefined && { group }),
    version,
    purl: npmPurl(name, version),
    ...(licence !== null && { licenses: [{ expression: licence }] }),
    ...(integrity?.startsWith('sha512-') && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex') }],
    }),
    properties: [{ name: 'svc:files-sha256', value: sha256 }, ...bytes],
  }
}

/** Files that are shipped beside a bundle, such as WebAssembly. */
function assetsIn(bundles: readonly BundleAccount[]): Component[] {
  const files = new Map<string, InputAccount>(bundles.flatMap(({ assets }) => Object.entries(assets)))
  return [...files].map(([file, { sha256 = '' }]) => ({
    type: 'file',
    'bom-ref': `file:${file}`,
    name: file,
    hashes: [{ alg: 'SHA-256', content: sha256 }],
  }))
}

function carriedComponents({ node, binaries = [] }: Carried): Component[] {
  const platform: Component[] =
    node === undefined
      ? []
      : [
          {
            type: 'platform',
            'bom-ref': 'node',
            name: 'node',
            version: node.version,
            purl: `pkg:github/nodejs/node@v${node.version}`,
            licenses: [{ expression: 'MIT' }],
            hashes: [{ alg: 'SHA-256', content: node.sha256 }],
          },
        ]
  const addons = binaries.flatMap(({ name, sha256 }): Component[] =>
    sha256 === null
      ? []
      : [{ type: 'file', 'bom-ref': `binary:${name}`, name, hashes: [{ alg: 'SHA-256', content: sha256 }] }],
  )
  return [...platform, ...addons]
}

/** The dependencies between packages, from the imports that the bundler followed. */
function dependenciesOf(
  self: string,
  packages: readonly string[],
  components: readonly Component[],
  account: Account,
  bundles: readonly BundleAccount[],
): unknown[] {
  const known = new Set(packages)
  const edges = new Map<string, Set<string>>([
    [self, new Set()],
    ...packages.map((one) => [one, new Set<string>()] as const),
  ])
  for (const { inputs, externals } of bundles) {
    for (const { package: place, imports } of Object.values(inputs)) {
      const from = place !== undefined && known.has(place) ? place : self
      for (const name of imports) {
        const to = inputs[name]?.package ?? externals.find((one) => one === `node_modules/${name}`)
        if (to !== undefined && to !== from && known.has(to)) edges.get(from)!.add(to)
      }
    }
  }
  const direct = components.map((one) => one['bom-ref']).filter((ref) => !(ref in account.packages))
  for (const ref of direct) edges.get(self)!.add(ref)
  return [...edges].map(([ref, to]) => ({ ref, dependsOn: [...to].sort() }))
}

/** A version 8 UUID (RFC 9562, section 5.8) of a text. */
function serialOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `urn:uuid:${[hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')}`
}
