/** The error of a call to the host that timed out. The call may still succeed or fail. */
export class Undecided {
  /** The error for callers in the meantime. */
  readonly error: Error
  /** Settles when the call settles; it may never do so. */
  readonly settled: Promise<unknown>

  constructor(error: Error, settled: Promise<unknown>) {
    this.error = error
    this.settled = settled
  }
}
