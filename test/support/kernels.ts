/** Kernels of a few plugins, composed for a test. */

import type { Manifest, Registry } from '../../core/declare/manifest.ts'
import type { Plugin } from '../../core/declare/plugin.ts'
import type { KernelOptions } from '../../core/kernel/compose.ts'
import { createKernel, type Kernel } from '../../core/kernel/kernel.ts'
import type { LogRecord, LogSink } from '../../core/kernel/log.ts'
import { storeParts } from './store-parts.ts'

declare module '../../core/declare/plugin.ts' {
  interface Capabilities {
    TestA: string
    TestB: string
    TestC: string
  }
}

/** A plugin with the given parts only. */
export function make(name: string, parts: Partial<Plugin> = {}): Plugin {
  return { name, feature: name, setup: () => undefined, ...parts }
}

/** Options of a composed kernel. */
export interface ComposeOptions extends Omit<KernelOptions, 'settings'> {
  /** Settings by full key. */
  readonly given?: Readonly<Record<string, unknown>>
  readonly absent?: Partial<Registry['absent']>
}

/** A manifest for tests. No real profile uses it. */
export const testManifest: Manifest = {
  name: 'svc',
  version: '0.0.0',
  profile: 'test',
  platform: 'node',
  features: [],
  plugins: [],
  routes: [],
  settings: [],
  node: '',
  bundleSha256: '',
}

/**
 * The open paths of the matrix. They are a list here because the matrix loads all features, which takes a quarter of a
 * second in each process. `test/unit/core/contract.test.ts` compares them.
 */
export const openPaths: readonly string[] = ['/health', '/healthz', '/readyz', '/metrics']

/** A registry of `plugins`. */
export function registryOf(plugins: readonly Plugin[], absent: Partial<Registry['absent']> = {}): Registry<Plugin> {
  return {
    manifest: testManifest,
    plugins,
    storeParts,
    absent: { settings: {}, capabilities: {}, ...absent },
    open: openPaths,
  }
}

/** A kernel of `plugins`, not started. */
export function compose(plugins: readonly Plugin[], options: ComposeOptions = {}): Kernel {
  const { given, absent, ...rest } = options
  const settings = given === undefined ? {} : { settings: { config: { name: 'test', value: given } } }
  return createKernel(registryOf(plugins, absent), { ...settings, ...rest })
}

/** A log sink that keeps all records. */
export function keepLog(): LogSink & { readonly records: LogRecord[]; messages(): string[] } {
  const records: LogRecord[] = []
  return {
    records,
    enabled: () => true,
    write: (record) => void records.push(record),
    messages: () => records.map(({ message }) => message),
  }
}
