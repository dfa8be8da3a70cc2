/** The sentence of a refusal because of a size: what has which limit, and how many bytes came. */
export function sizeFault(what: string, maxBytes: number, bytes: number): string {
  return `${what} has at most ${maxBytes} bytes; this has ${bytes}.`
}
