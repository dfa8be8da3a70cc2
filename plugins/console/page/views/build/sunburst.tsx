/** The bytes of a bundle as rings of features, packages and files. The chosen part becomes the middle. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { arc } from '../../lib/arcs.ts'
import type { Part } from '../../lib/build-tree.ts'
import { bytes, countOf } from '../../lib/format.ts'

/** The inner and the outer radius of each ring, in units of the picture, which is 500 units wide. */
const RINGS = [
  [78, 150],
  [150, 205],
  [205, 246],
] as const
/** Thinnest arc that is drawn, in radians. A thinner arc would not be visible. */
const THINNEST = 0.006
/** Number of parts in the list before the reader asks for all parts. */
const LISTED = 14

interface Arc {
  readonly key: string
  readonly path: readonly string[]
  readonly outline: string
  readonly hue: number
  readonly depth: number
}

/** Shows a tree of bytes, with a list of its largest parts for reading and for the keyboard. */
export function Sunburst({ tree }: { readonly tree: Part }): JSX.Element {
  const [zoomed, setZoomed] = useState<readonly string[]>([])
  const [hovered, setHovered] = useState<readonly string[] | undefined>(undefined)
  const middle = descend(tree, zoomed)
  const pointed = hovered === undefined ? middle : descend(middle, hovered)
  const [listsAll, setListsAll] = useState(false)
  const rest = listsAll ? [] : middle.children.slice(LISTED)
  const zoomTo = (path: readonly string[]): void => {
    setZoomed(path)
    setHovered(undefined)
    setListsAll(false)
  }
  const zoom = (path: readonly string[]): void => {
    if (descend(middle, path).children.length > 0) zoomTo([...zoomed, ...path])
  }
  return (
    <div class="sunburst">
      <svg
        viewBox="-250 -250 500 500"
        role="img"
        aria-label={`Bytes of ${middle.name}, by part`}
        onMouseLeave={() => setHovered(undefined)}
      >
        {arcsOf(middle).map(({ key, path, outline, hue, depth }) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the list beside it does the same by keyboard
          <path
            key={key}
            class={`arc arc-${depth}`}
            d={outline}
            style={{ '--hue': hue.toFixed(0) }}
            onMouseEnter={() => setHovered(path)}
            onClick={() => zoom(path)}
          />
        ))}
        <text class="sunburst-size" y="2">
          {bytes(pointed.bytes)}
        </text>
        <text class="sunburst-name" y="22">
          {shortened(pointed.name)}
        </text>
      </svg>
      <div class="sunburst-list">
        <nav class="crumbs" aria-label="Part">
          {[tree.name, ...zoomed].map((name, index) => (
            <button
              key={`${index} ${name}`}
              type="button"
              class="quiet small"
              onClick={() => zoomTo(zoomed.slice(0, index))}
            >
              {name}
            </button>
          ))}
        </nav>
        <ol>
          {middle.children.slice(0, middle.children.length - rest.length).map((part, index) => (
            <li key={part.name} onMouseEnter={() => setHovered([part.name])}>
              <span class="swatch" style={{ '--hue': hueOf(index).toFixed(0) }} />
              {part.children.length > 0 ? (
                <button type="button" class="quiet small" onClick={() => zoom([part.name])}>
                  {part.name}
                </button>
              ) : (
                <span class="sunburst-file">{part.name}</span>
              )}
              <span class="sunburst-bytes">{bytes(part.bytes)}</span>
              <span class="sunburst-share">{((100 * part.bytes) / middle.bytes).toFixed(1)} %</span>
            </li>
          ))}
          {rest.length > 0 && (
            <li>
              <span class="swatch" />
              <button type="button" class="quiet small" onClick={() => setListsAll(true)}>
                {countOf(rest.length, 'more', 'more')}
              </button>
              <span class="sunburst-bytes">{bytes(rest.reduce((sum, part) => sum + part.bytes, 0))}</span>
            </li>
          )}
        </ol>
      </div>
    </div>
  )
}

function descend(part: Part, path: readonly string[]): Part {
  return path.reduce((at, name) => at.children.find((child) => child.name === name) ?? at, part)
}

/** The hue of a part. The hues of neighbours differ by the golden angle. */
function hueOf(index: number): number {
  return (228 + index * 137.5) % 360
}

function arcsOf(middle: Part): readonly Arc[] {
  const arcs: Arc[] = []
  const draw = (part: Part, depth: number, from: number, hue: number, path: readonly string[]): void => {
    const ring = RINGS[depth]
    if (ring === undefined) return
    const [inner, outer] = ring
    let at = from
    for (const [index, child] of part.children.entries()) {
      const span = (child.bytes / middle.bytes) * 2 * Math.PI
      const arcHue = depth === 0 ? hueOf(index) : hue
      const names = [...path, child.name]
      if (span >= THINNEST) {
        arcs.push({
          key: names.join('\n'),
          path: names,
          outline: arc(at, at + span, inner, outer),
          hue: arcHue,
          depth,
        })
        draw(child, depth + 1, at, arcHue, names)
      }
      at += span
    }
  }
  draw(middle, 0, -Math.PI / 2, 0, [])
  return arcs
}

function shortened(name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1)
  return last.length > 20 ? `${last.slice(0, 19)}…` : last
}
