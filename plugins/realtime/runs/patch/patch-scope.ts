/** What a patch may cost. */

/** Takes a step back. */
export type Undo = () => void

/** Thrown if a patch makes more, or costs more, than is allowed. The caller takes the run's changes back. */
export class LimitError extends Error {
  readonly kind: 'size' | 'work'

  constructor(kind: 'size' | 'work') {
    super(kind)
    this.kind = kind
  }
}

/** What patches of one document share. */
export interface PatchScope {
  /**
   * Containers that nothing else refers to, which are changed in place. Any other container is copied once, before its
   * first change.
   */
  owned: WeakSet<object>
  /** Elements beyond those of the patches that may still be compared or moved. */
  work: number
  /** Bytes by which a patch may make its document grow. */
  readonly maxGrowth: number
}
