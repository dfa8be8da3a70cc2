/** A case of the tests of the toolkit: a name and what is done with an installed copy. They run in their order, on one folder. */
import type { Rig } from './rig.ts'

/** One case. */
export type Case = readonly [name: string, work: (rig: Rig) => void | Promise<void>]
