/** Whether WebAssembly can be used. In a file without imports, so that its users do not load Argon2. */

/** The smallest WebAssembly module: magic number and version (WebAssembly Core Specification, section 5.5.16). */
const EMPTY_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)

/**
 * Whether the platform compiles WebAssembly from bytes. Some do not: workerd, a page whose content security policy has
 * no `'wasm-unsafe-eval'`, Node with `--jitless`.
 */
export async function compilesWasm(): Promise<boolean> {
  try {
    await WebAssembly.compile(EMPTY_MODULE)
    return true
  } catch {
    return false
  }
}
