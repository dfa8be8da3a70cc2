/** Geometry of ring charts in SVG. */

/**
 * The SVG path of a part of a ring; angles in radians. A whole ring has a tiny gap, because SVG draws no arc of 360
 * degrees.
 */
export function arc(from: number, to: number, inner: number, outer: number): string {
  const end = Math.min(to, from + 2 * Math.PI - 0.000_1)
  const point = (radius: number, angle: number): string =>
    `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`
  const large = end - from > Math.PI ? 1 : 0
  return `M${point(outer, from)}A${outer} ${outer} 0 ${large} 1 ${point(outer, end)}L${point(inner, end)}A${inner} ${inner} 0 ${large} 0 ${point(inner, from)}Z`
}
