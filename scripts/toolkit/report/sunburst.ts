/** Draws a tree of bytes as rings of arcs, in SVG. */
import { arc } from '../../../plugins/console/page/lib/arcs.ts'
import type { Part } from '../../../plugins/console/page/lib/build-tree.ts'

const RADII = [70, 150, 205, 245] as const

/** Smallest angle of an arc in radians; thinner arcs would be invisible. */
const THINNEST = 0.004

/** The picture; the title of each arc names its part. */
export function sunburst(tree: Part): Html {
  const arcs: Html[] = []
  const total = tree.bytes
  const draw = (part: Part, depth: number, from: number, hue: number, path: string): void => {
    let at = from
    for (const [index, child] of part.children.entries()) {
      const span = (child.bytes / total) * 2 * Math.PI
      // The hues of neighbours differ by the golden angle.
      const childHue = depth === 0 ? (index * 137.5) % 360 : hue
      const name = depth === 0 ? child.name : `${path} › ${child.name}`
      if (span >= THINNEST) {
        const title = `${name}: ${kib(child.bytes)} (${((100 * child.bytes) / total).toFixed(1)} %)`
        const light = 42 + depth * 12 + (index % 2) * 5
        arcs.push(
          html`<path d="${arc(at, at + span, RADII[depth]!, RADII[depth + 1]!)}" fill="hsl(${childHue.toFixed(0)} 55% ${light}%)"><title>${title}</title></path>`,
        )
        if (depth < 2) draw(child, depth + 1, at, childHue, name)
        if (depth === 0 && span > 0.22) arcs.push(label(child.name, at + span / 2))
      }
      at += span
    }
  }
  draw(tree, 0, -Math.PI / 2, 0, '')
  return html`<svg viewBox="-250 -250 500 500" role="img" aria-label="Bytes of ${tree.name} by feature, package and file">${arcs}<text class="sum" y="-2">${kib(total)}</text><text class="of" y="18">${tree.name}</text></svg>`
}

/** Bytes in KiB. */
export function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`
}

function label(text: string, angle: number): Html {
  const radius = (RADII[0] + RADII[1]) / 2
  const short = text.length > 16 ? `${text.slice(0, 15)}…` : text
  return html`<text class="name" x="${(radius * Math.cos(angle)).toFixed(1)}" y="${(radius * Math.sin(angle) + 3).toFixed(1)}">${short}</text>`
}

/** HTML that is inserted without escaping. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A template tag: escapes values that are not {@link Html}, and concatenates lists. */
export function html(parts: TemplateStringsArray, ...values: readonly unknown[]): Html {
  return new Html(parts.reduce((text, part, index) => `${text}${toText(values[index - 1])}${part}`))
}

function toText(value: unknown): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(toText).join('')
  if (value === undefined || value === null || value === false) return ''
  return String(value).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}
