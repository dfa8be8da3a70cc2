/** A QR code as a drawing. */
import type { JSX } from 'preact'

/** Light modules around a QR code, which readers need (ISO/IEC 18004). */
const QUIET = 4

/** Draws a QR code. `rows` has a text for each row, with `1` for dark and `0` for light; `name` is read to people who do not see it. */
export function QrCode({ rows, name }: { readonly rows: readonly string[]; readonly name: string }): JSX.Element {
  const size = rows.length + 2 * QUIET
  const path = rows.flatMap((row, y) =>
    [...row.matchAll(/1+/g)].map(
      ({ index, 0: { length } }) => `M${index + QUIET} ${y + QUIET}h${length}v1h-${length}z`,
    ),
  )
  return (
    <svg class="qr-code" role="img" aria-label={name} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path.join('')} fill="#000" />
    </svg>
  )
}
