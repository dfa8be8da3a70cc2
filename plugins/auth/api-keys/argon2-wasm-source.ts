/**
 * The WebAssembly of Argon2, out of the package that holds it as text. A bundle does not read packages: it has a file
 * `argon2.wasm` beside it and its address here, or the bytes themselves where it is a single file.
 */
const { readFileSync } = process.getBuiltinModule('node:fs')

/** The package's file, which the build asks for. @public */
export const from: URL = new URL(import.meta.resolve('hash-wasm/dist/argon2.umd.min.js'))

/** The bytes, or where they are. */
export const wasm: Uint8Array<ArrayBuffer> | URL = extract(readFileSync(from, 'utf8'))

/** The file holds two modules in base64; that of Argon2 is the one whose memory has a size to be set. */
function extract(text: string): Uint8Array<ArrayBuffer> {
  const modules = [...text.matchAll(/\bAGFzbQ[\w+/]+=*/g)].map(([found]) =>
    Uint8Array.from(atob(found), (character) => character.charCodeAt(0)),
  )
  const isArgon2 = (bytes: Uint8Array<ArrayBuffer>): boolean =>
    WebAssembly.Module.exports(new WebAssembly.Module(bytes)).some(({ name }) => name === 'Hash_SetMemorySize')
  const [found, ...others] = modules.filter(isArgon2)
  if (found === undefined || others.length > 0) throw new TypeError(`${from.href} does not hold Argon2 as it used to`)
  return found
}
