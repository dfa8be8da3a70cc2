/** Suites of one service, run on several nodes of a cluster: what joins them is told here, before the suite is loaded. */
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

/** The nodes that services are made of; one where nobody said otherwise. */
export function nodes(): Nodes {
  return joined
}

/** From here on services are made of these. */
export function joinNodes(given: Nodes): void {
  joined = given
}

/** A test of what holds for one node alone: on several it is left out, aloud. */
export function onOneNode(test: Suite, reason: string, name: string, work: () => void | Promise<void>): void {
  if (joined.count === 1) test(name, work)
  else {
    reasons.add(reason)
    skip(test, name, reason)
  }
}

/** Why tests were left out so far. */
export function leftOut(): readonly string[] {
  return [...reasons]
}
