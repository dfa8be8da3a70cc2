/** Runs suites of one service on several nodes of a cluster. A test file sets the nodes here before it loads the suite. */
import type { Plugin } from '../../core/plugin.ts'
import { skip } from './skip.ts'

/** How a service under test is made of nodes. */
export interface Nodes {
  readonly count: number
  /** Plugins of each node, beside those of the suite. */
  readonly plugins: readonly Plugin[]
  /** Settings of the nodes of one service, by full key: engines of its own, so that it meets nothing of another. */
  settings(): Promise<Readonly<Record<string, unknown>>>
}

type Suite = Parameters<typeof skip>[0]

let joined: Nodes = { count: 1, plugins: [], settings: async () => ({}) }
const reasons = new Set<string>()

/** The nodes that services are made of; one by default. */
export function nodes(): Nodes {
  return joined
}

/** Sets the nodes of all services that start from now on. */
export function joinNodes(given: Nodes): void {
  joined = given
}

/** A test that holds for one node alone. On several nodes it is skipped with its reason. */
export function onOneNode(test: Suite, reason: string, name: string, work: () => void | Promise<void>): void {
  if (joined.count === 1) test(name, work)
  else {
    reasons.add(reason)
    skip(test, name, reason)
  }
}

/** The reasons of the tests that were skipped so far. */
export function leftOut(): readonly string[] {
  return [...reasons]
}
