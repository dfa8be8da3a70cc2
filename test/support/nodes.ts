/**
 * Runs suites for one service on several nodes of a cluster. A test file sets the nodes here before it loads the suite.
 */
import type { Plugin } from '../../core/declare/plugin.ts'
import type { skip } from './skip.ts'

/** The nodes of a service under test. */
export interface Nodes {
  readonly count: number
  /** Plugins of each node, in addition to the suite's plugins. */
  readonly plugins: readonly Plugin[]
  /**
   * Settings of the nodes of one service, by full key. Each service has its own engines, so that services do not share
   * state.
   */
  settings(): Promise<Readonly<Record<string, unknown>>>
}

type Suite = Parameters<typeof skip>[0]

let joined: Nodes = { count: 1, plugins: [], settings: async () => ({}) }
const reasons = new Set<string>()

/** The nodes of each service. One node by default. */
export function nodes(): Nodes {
  return joined
}

/** Sets the nodes of all services that start from now on. */
export function joinNodes(given: Nodes): void {
  joined = given
}

/** Adds a test that is valid for a single node only. On several nodes its name and the reason are printed. */
export function onOneNode(test: Suite, reason: string, name: string, work: () => void | Promise<void>): void {
  if (joined.count === 1) test(name, work)
  else {
    reasons.add(reason)
    // It is no skip: the docs say why several nodes do not hold it, and a test compares.
    process.stdout.write(`# one node only: ${name}: ${reason}\n`)
  }
}

/** The reasons of the tests that were left out so far. */
export function leftOut(): readonly string[] {
  return [...reasons]
}
