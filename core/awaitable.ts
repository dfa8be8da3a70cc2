/** A value or a promise of it: nothing is waited for where nothing has to be. */
export type Awaitable<T> = T | Promise<T>
