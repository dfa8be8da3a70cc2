/** The parts of the store that a build with all features of the matrix has. */
import type { StorePart } from '../../core/declare/capabilities.ts'
import { storePart as keys } from '../../plugins/auth/keys-sqlite/store-part.ts'
import { storePart as boardCheck } from '../../plugins/kbd/api/store-part.ts'
import { storePart as boards } from '../../plugins/kbd/engine/store-part.ts'
import { storePart as peers } from '../../plugins/peer/registry/store-part.ts'
import { storePart as runs } from '../../plugins/realtime/runs-sqlite/store-part.ts'
import { storePart as remote } from '../../plugins/sync/remote/store-part.ts'
import { storePart as history } from '../../plugins/telemetry/history/store-part.ts'

/** The parts, in the order of the registry. */
export const storeParts: readonly StorePart[] = [keys, boardCheck, boards, peers, runs, remote, history]
