/**
 * Where the code of a hashing thread comes from: the file beside this one. A bundle has no such file; its build puts
 * the bundled text of that file here instead.
 */
export const workerSource: URL | string = new URL('./argon2-worker.ts', import.meta.url)
