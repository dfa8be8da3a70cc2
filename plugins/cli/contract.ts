/** The command line has no HTTP face; its promises are tested by running it. */
import { type Contract, defineContract } from '../../core/contract.ts'

/** The contract of feature `cli`. */
export const contract: Contract = defineContract({ present: [], absent: [] })
