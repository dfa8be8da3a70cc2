/** Labels of devices. One limit holds at enrolment, import and pairing. */

/** Most bytes of UTF-8 of a label. */
const MAX_LABEL_BYTES = 256

/** The reason why a text is no label of a device; undefined if it is one. */
export function labelFault(label: string | null): string | undefined {
  const bytes = label === null ? 0 : new TextEncoder().encode(label).length
  return bytes <= MAX_LABEL_BYTES
    ? undefined
    : `A label has at most ${MAX_LABEL_BYTES} bytes of UTF-8; this has ${bytes}.`
}
