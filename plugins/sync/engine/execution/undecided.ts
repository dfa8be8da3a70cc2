/** Work at a host whose time is over and which may still end either way. */
export class Undecided {
  /** What callers are told meanwhile. */
  readonly error: Error
  /** How it ends, if it does. */
  readonly settled: Promise<unknown>

  constructor(error: Error, settled: Promise<unknown>) {
    this.error = error
    this.settled = settled
  }
}
