/**
 * The code of a hashing thread: the address of a file in the source tree. The build replaces it with the bundled text
 * of that file, because a bundle has no such file.
 */
export const workerSource: URL | string = new URL('./argon2-worker.ts', import.meta.url)
