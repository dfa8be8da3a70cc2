/** A value, or a promise of it. Code that has the value at hand returns no promise, which saves a turn of the event loop. */
export type Awaitable<T> = T | Promise<T>
