/** This feature has no HTTP face of its own: its promises are tested through the local sync API and by function calls. */
import { type Contract, defineContract } from '../../../core/contract.ts'

/** The contract of the feature. */
export const contract: Contract = defineContract({ present: [], absent: [] })
