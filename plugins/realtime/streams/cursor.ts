/** A position in a log: `<epoch>-<sequence>`, where the epoch names the process that numbered it. */
export interface Cursor {
  /** Null if the client sent a bare integer, which refers to this process. */
  readonly epoch: string | null
  readonly sequence: number
}

const epochLength = 8
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/**
 * Makes the epoch of this process from at least 8 random bytes: 40 bits, so that two processes do not share one by
 * chance.
 */
export function createEpoch(random: Uint8Array): string {
  let epoch = ''
  for (let i = 0; i < epochLength; i++) epoch += alphabet[(random[i] ?? 0) & 31]
  return epoch
}

/** Writes a position as the `id` of an event. */
export function formatCursor(epoch: string, sequence: number): string {
  return `${epoch}-${sequence}`
}

/** Parses a position; null if the text is not one. */
export function parseCursor(text: string): Cursor | null {
  const match = /^(?:([a-z2-7]{8})-)?(\d{1,16})$/.exec(text)
  if (match === null) return null
  const sequence = Number(match[2])
  return Number.isSafeInteger(sequence) ? { epoch: match[1] ?? null, sequence } : null
}
