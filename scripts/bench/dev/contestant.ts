/** What both sides of the comparison of rebuilds have in common. */

/** Something that answers with what a saved file says. */
export interface Contestant {
  /** Milliseconds from `save` to the first answer that has `wanted`. */
  round(save: () => void, wanted: string): Promise<number>
  close(): Promise<void>
}

/** Asks for the second quote until it is the wanted one; gives when that was, in milliseconds of the monotonic clock. */
export async function untilSaid(port: () => number, wanted: string): Promise<number> {
  const lastMs = performance.now() + 60_000
  while (performance.now() < lastMs) {
    const said = await fetch(`http://127.0.0.1:${port()}/edge/quote/1`, { headers: { connection: 'close' } }).then(
      (answer) => answer.text(),
      () => '',
    )
    if (said.includes(wanted)) return performance.now()
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  throw new Error(`"${wanted}" was not said within a minute`)
}
