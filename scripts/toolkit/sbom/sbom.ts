/**
 * Creates the software bill of materials of the bundled code, as CycloneDX 1.6. It contains no date, and its serial
 * number is computed from its content, so that the same build has the same bill.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import parseExpression from 'spdx-expression-parse'
import {
  type Account,
  type BundleAccount,
  type InputAccount,
  npmPurl,
  packagesIn,
} from '../../build/account/account.ts'
import { EXECUTABLE } from '../../build/paths.ts'
import type { Dist } from '../open-dist.ts'

/** The contents of an executable, except its bundle. */
export interface Carried {
  readonly node?: { readonly version: string; readonly sha256: string }
  readonly binaries?: readonly { readonly name: string; readonly sha256: string | null }[]
}

/** A bill of materials, as JSON. */
export type Sbom = Readonly<Record<string, unknown>> & { readonly serialNumber: string }

const { Application, File, Library, Platform } = Enums.ComponentType
const { 'SHA-256': SHA256, 'SHA-512': SHA512 } = Enums.HashAlgorithm
const licences = new Contrib.License.Factories.LicenseFactory(parseExpression)
const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))

/** Creates the bill of a build, or of one of its bundles. */
export function sbomOf(account: Account, file?: string, carried: Carried = {}): Sbom {
  const bundles = account.bundles.filter((one) => file === undefined || one.file === file)
  const places = packagesIn(account, bundles)
  const packages = new Map(places.map((place) => [place, packageComponent(account, place, bundles)]))
  const components = [...assetsIn(bundles), ...carriedComponents(carried)]
  const self = ownComponent(account, bundles)
  for (const { bomRef } of components) self.dependencies.add(bomRef)
  addDependencies(self, packages, bundles)
  const bom = new Models.Bom({ components: new Models.ComponentRepository([...packages.values(), ...components]) })
  bom.metadata.component = self
  bom.metadata.lifecycles.add(Enums.LifecyclePhase.Build)
  bom.metadata.tools.components.add(new Models.Component(Application, 'svc-toolkit', { version: account.toolkit }))
  bom.serialNumber = serialOf(textOf(bom))
  return JSON.parse(textOf(bom)) as Sbom
}

function textOf(bom: Models.Bom): string {
  return serializer.serialize(bom, { sortLists: true })
}

function ownComponent({ profile, toolkit }: Account, bundles: readonly BundleAccount[]): Models.Component {
  return component(Application, 'svc', {
    bomRef: `svc:${profile}`,
    version: toolkit,
    properties: [
      ['svc:profile', profile],
      ...bundles.flatMap(({ file, sha256, parts }): [string, string][] => [
        [`svc:bundle:${file}`, sha256],
        ...Object.entries(parts).map(([part, one]): [string, string] => [`svc:part:${file}:${part}`, one.sha256]),
      ]),
    ],
  })
}

function packageComponent({ packages }: Account, place: string, bundles: readonly BundleAccount[]): Models.Component {
  const { name, version, licence, sha256, integrity } = packages[place]!
  const [group, plain] = name.startsWith('@') ? (name.split('/') as [string, string]) : [undefined, name]
  const bytes = bundles.map(({ file, inputs, externals }): [string, string] => {
    const sum = Object.values(inputs).reduce((all, one) => all + (one.package === place ? one.bytes : 0), 0)
    return [`svc:bytes:${file}`, externals.includes(place) ? 'outside' : String(sum)]
  })
  const sha512 = integrity?.startsWith('sha512-') === true ? integrity.slice('sha512-'.length) : undefined
  const made = component(Library, plain, {
    bomRef: place,
    ...(group !== undefined && { group }),
    version,
    purl: npmPurl(name, version),
    ...(sha512 !== undefined && { hash: [SHA512, Buffer.from(sha512, 'base64').toString('hex')] }),
    properties: [['svc:files-sha256', sha256], ...bytes],
  })
  // A text that is no SPDX expression, such as "Apache 2.0" or "SEE LICENSE IN …", becomes the name of the licence.
  if (licence !== null) made.licenses.add(licences.makeFromString(licence))
  return made
}

/** Files that are shipped beside a bundle, such as WebAssembly. */
function assetsIn(bundles: readonly BundleAccount[]): Models.Component[] {
  const files = new Map<string, InputAccount>(bundles.flatMap(({ assets }) => Object.entries(assets)))
  return [...files].map(([file, { sha256 = '' }]) =>
    component(File, file, { bomRef: `file:${file}`, hash: [SHA256, sha256] }),
  )
}

function carriedComponents({ node, binaries = [] }: Carried): Models.Component[] {
  const addons = binaries.flatMap(({ name, sha256 }) =>
    sha256 === null ? [] : [component(File, name, { bomRef: `binary:${name}`, hash: [SHA256, sha256] })],
  )
  if (node === undefined) return addons
  const platform = component(Platform, 'node', {
    bomRef: 'node',
    version: node.version,
    purl: `pkg:github/nodejs/node@v${node.version}`,
    hash: [SHA256, node.sha256],
  })
  platform.licenses.add(licences.makeFromString('MIT'))
  return [platform, ...addons]
}

interface ComponentOptions {
  readonly bomRef: string
  readonly group?: string
  readonly version?: string
  readonly purl?: string
  readonly hash?: readonly [algorithm: Enums.HashAlgorithm, hex: string]
  readonly properties?: readonly (readonly [name: string, value: string])[]
}

function component(
  type: Enums.ComponentType,
  name: string,
  { hash, properties = [], ...rest }: ComponentOptions,
): Models.Component {
  return new Models.Component(type, name, {
    ...rest,
    hashes: new Models.HashDictionary(hash === undefined ? [] : [hash]),
    properties: new Models.PropertyRepository(properties.map(([key, value]) => new Models.Property(key, value))),
  })
}

/** Adds the dependencies between packages, from the imports that the bundler followed. */
function addDependencies(
  self: Models.Component,
  packages: ReadonlyMap<string, Models.Component>,
  bundles: readonly BundleAccount[],
): void {
  for (const { inputs, externals } of bundles) {
    for (const { package: place, imports } of Object.values(inputs)) {
      const from = packages.get(place ?? '') ?? self
      for (const name of imports) {
        const to = packages.get(
          inputs[name]?.package ?? externals.find((one) => one.endsWith(`node_modules/${name}`)) ?? '',
        )
        if (to !== undefined && to !== from) from.dependencies.add(to.bomRef)
      }
    }
  }
}

/** A version 8 UUID (RFC 9562, section 5.8) of a text. */
function serialOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `urn:uuid:${[hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')}`
}

/** The bill of all files of a build, or of one of its bundles. */
export function sbomOfDist({ folder, account }: Pick<Dist, 'folder' | 'account'>, file?: string): Sbom {
  const executable = account.bundles.some((one) => one.file === EXECUTABLE) && (file ?? EXECUTABLE) === EXECUTABLE
  return sbomOf(account, file, executable ? carriedBy(folder) : {})
}

/** The other contents of the executable, from its manifest. */
function carriedBy(folder: string): Carried {
  const manifests = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
    svc?: { runtime: { node: string; sha256: string }; binaries: { name: string; sha256: string | null }[] }
  }
  const { runtime, binaries = [] } = manifests.svc ?? {}
  return { ...(runtime && { node: { version: runtime.node, sha256: runtime.sha256 } }), binaries }
}
