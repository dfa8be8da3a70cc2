import type { JsonBounds } from '../../core/http/body/body-spec.ts'

/**
 * Bounds of a body with events. Levels of one event are counted exactly behind it, and the array and the object around the
 * event come on top. Parsing a MiB of that many members takes some 30 ms.
 */
export const largeJson: JsonBounds = { maxDepth: 520, maxMembers: 65_536 }
