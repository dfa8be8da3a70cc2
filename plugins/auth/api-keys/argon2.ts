/**
 * Argon2id (RFC 9106). The memory is filled by WebAssembly, that of hash-wasm; what stands before and after it, some 70 blocks
 * of BLAKE2b, is done here.
 */
import { wasm } from './argon2-wasm-source.ts'
import { blake2b } from './blake2b.ts'
import type { HashCost } from './hasher.ts'

const HASH_BYTES = 32
const BLOCK_BYTES = 1024
const VERSION = 0x13
/** The type `id` of section 3.1. */
const TYPE = 2

/** What the WebAssembly exports. */
interface Filler {
  readonly memory: WebAssembly.Memory
  Hash_SetMemorySize(bytes: number): void
  Hash_GetBuffer(): number
  /** Fills the memory; its last block, combined over the lanes, stands at the beginning then. */
  Hash_Calculate(length: number, memoryKiB: number, ignored: number): void
}

let compiled: Promise<WebAssembly.Module> | undefined

/**
 * Compiles the WebAssembly, once. What failed is tried again at the next call.
 * @throws Error of the platform where it cannot be read or compiled
 */
export function prepare(): Promise<WebAssembly.Module> {
  compiled ??= compile().catch((error: unknown) => {
    compiled = undefined
    throw error
  })
  return compiled
}

/** The encoded Argon2id hash of `text`. Holds the thread for the whole time: some 80 ms at the default cost. */
export async function hashText(text: string, salt: Uint8Array, cost: HashCost): Promise<string> {
  const { memoryKiB, iterations, parallelism } = cost
  const hash = await argon2id(new TextEncoder().encode(text), salt, cost, HASH_BYTES)
  return `$argon2id$v=${VERSION}$m=${memoryKiB},t=${iterations},p=${parallelism}$${toBase64(salt)}$${toBase64(hash)}`
}

/** Whether `text` has the hash `encoded`, at the cost that `encoded` names. Holds the thread as `hashText` does. */
export async function verifyText(text: string, encoded: string): Promise<boolean> {
  const [, memory, iterations, lanes, salt, hash] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z\d+/]+)\$([A-Za-z\d+/]+)$/.exec(encoded) ?? []
  if (salt === undefined || hash === undefined) throw new Error('not an encoded hash of Argon2id')
  const cost = { memoryKiB: Number(memory), iterations: Number(iterations), parallelism: Number(lanes) }
  const bytes = Math.floor((hash.length * 3) / 4)
  return toBase64(await argon2id(new TextEncoder().encode(text), fromBase64(salt), cost, bytes)) === hash
}

/**
 * The tag of section 3.2, `length` bytes of it.
 * @throws Error where the cost is none that Argon2 knows
 */
export async function argon2id(
  password: Uint8Array,
  salt: Uint8Array,
  { memoryKiB, iterations, parallelism }: HashCost,
  length: number,
): Promise<Uint8Array> {
  if (memoryKiB < 8 * parallelism || iterations < 1 || parallelism < 1 || length < 4 || salt.length < 8) {
    throw new Error('a cost, a salt or a length below the least of Argon2')
  }
  const filler = (await WebAssembly.instantiate(await prepare(), {})).exports as unknown as Filler
  // Behind the blocks stand the parameters, as the first hash has them too.
  const parameters = words(parallelism, length, memoryKiB, iterations, VERSION, TYPE)
  // It takes what follows the end of its memory, which it finds when it is first asked.
  filler.Hash_GetBuffer()
  filler.Hash_SetMemorySize((memoryKiB + 1) * BLOCK_BYTES)
  const memory = new Uint8Array(filler.memory.buffer, filler.Hash_GetBuffer())
  memory.set(parameters, memoryKiB * BLOCK_BYTES)
  const first = blake2b(join(parameters, words(password.length), password, words(salt.length), salt, words(0, 0)), 64)
  const blocksOfLane = 4 * Math.floor(memoryKiB / (4 * parallelism))
  for (let lane = 0; lane < parallelism; lane++) {
    for (const block of [0, 1]) {
      memory.set(longHash(join(first, words(block, lane)), BLOCK_BYTES), (lane * blocksOfLane + block) * BLOCK_BYTES)
    }
  }
  filler.Hash_Calculate(0, memoryKiB, 0)
  return longHash(memory.slice(0, BLOCK_BYTES), length)
}

/** The variable-length hash of section 3.3. */
function longHash(input: Uint8Array, length: number): Uint8Array {
  const whole = join(words(length), input)
  if (length <= 64) return blake2b(whole, length)
  const result = new Uint8Array(length)
  let link = blake2b(whole, 64)
  let at = 0
  for (; length - at > 64; at += 32) {
    result.set(link.subarray(0, 32), at)
    link = blake2b(link, Math.min(64, length - at - 32))
  }
  result.set(link, at)
  return result
}

async function compile(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(wasm instanceof URL ? await readBytes(wasm) : wasm)
}

/** What stands at an address: a file of Node, whose fetch reads none, or whatever the host fetches. */
async function readBytes(url: URL): Promise<BufferSource> {
  const files = url.protocol === 'file:' ? globalThis.process?.getBuiltinModule?.('node:fs') : undefined
  if (files !== undefined) return files.readFileSync(url)
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url.href} answered ${answer.status}`)
  return answer.arrayBuffer()
}

/** Numbers of 32 bits, the lowest byte first. */
function words(...numbers: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * numbers.length))
  for (const [index, number] of numbers.entries()) view.setUint32(4 * index, number, true)
  return new Uint8Array(view.buffer)
}

/** As `joinBytes` of core, which would cost this file, loaded apart, more than it has. */
function join(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Base64 without padding, as encoded hashes have it. */
function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(/=+$/, '')
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
