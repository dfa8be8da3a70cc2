/** What all streams share shows in the contracts of the features that open them; by itself it answers nothing. */
import { type Contract, defineContract } from '../../../core/contract.ts'

/** The contract of feature `realtime.streams`. */
export const contract: Contract = defineContract({ present: [], absent: [] })
