/** Reads the texts of cards and comments by their hash, and checks the hash. */
import { sha256 } from '@noble/hashes/sha2.js'
import { toHex } from '../../../../protocol/codecs.ts'
import { ServiceError, send } from '../../lib/service.ts'

/** The result of reading a text. */
export interface KeptText {
  /** Undefined if this node does not have the text. */
  readonly text: string | undefined
  /** Whether the bytes have a different hash. */
  readonly isForeign: boolean
}

/** Reads the text with a hash. */
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
