import type { JsonBounds } from '../../core/http/body/body-spec.ts'

/**
 * Bounds of a body with events. The levels of each event are checked exactly later; here the array and the object around the event
 * are added. One batch of 4 096 events with four members each fits. An event of that many members costs some 40 ms of processor time.
 */
export const largeJson: JsonBounds = { maxDepth: 520, maxMembers: 20_480 }
