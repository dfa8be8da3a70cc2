/** What the features of the matrix keep in the store, as a build with all of them has it. */
import type { StorePart } from '../../core/capabilities.ts'
import { storePart as keys } from '../../plugins/auth/keys-sqlite/store-part.ts'
import { storePart as boardCheck } from '../../plugins/kbd/api/store-part.ts'
import { storePart as boards } from '../../plugins/kbd/engine/store-part.ts'
import { storePart as peers } from '../../plugins/peer/registry/store-part.ts'
import { storePart as runs } from '../../plugins/realtime/runs-sqlite/store-part.ts'

/** In the order of the registry. */
export const storeParts: readonly StorePart[] = [keys, boardCheck, boards, peers, runs]
