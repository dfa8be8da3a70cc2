/** Texts of cards and comments: kept by their hash, and held against it when they are read. */
import { sha256 } from '@noble/hashes/sha2.js'
import { toHex } from '../../../../protocol/codecs.ts'
import { ServiceError, send } from '../../lib/service.ts'

/** A text, or why there is none. */
export interface KeptText {
  /** Undefined where this node has no such text. */
  readonly text: string | undefined
  /** The bytes are not those that the hash names. */
  readonly isForeign: boolean
}

/** Reads a text. */
export async function readText(hash: string, signal: AbortSignal): Promise<KeptText> {
  try {
    const response = await send(`/local/api/v1/kbd/content/${hash}`, {
      signal,
      headers: { accept: 'application/octet-stream' },
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    return { text: new TextDecoder().decode(bytes), isForeign: toHex(sha256(bytes)) !== hash }
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return { text: undefined, isForeign: false }
    throw error
  }
}
