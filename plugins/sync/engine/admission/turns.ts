/** Large bodies are read one in a turn of the loop: many that come together must not hold it for the sum of their time. */

/** Bodies up to this size take well under a millisecond. */
const SMALL_BYTES = 8_192

/** Resolves when a body of so many bytes may be read. */
export type Turns = (bytes: number) => Promise<void> | undefined

/** Makes the line of a door. */
export function createTurns(yieldLoop: () => Promise<void>): Turns {
  let line: Promise<void> = Promise.resolve()
  return (bytes) => (bytes <= SMALL_BYTES ? undefined : (line = line.then(yieldLoop)))
}
