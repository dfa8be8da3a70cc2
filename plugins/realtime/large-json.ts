import type { JsonBounds } from '../../core/http/body/body-spec.ts'

/**
 * Bounds of a body with events. Levels of one event are counted exactly behind it, and the array and the object around the
 * event come on top. One batch of 4 096 events with four members each fits. An event of that many members costs some 40 ms of processor time.
 */
export const largeJson: JsonBounds = { maxDepth: 520, maxMembers: 20_480 }
