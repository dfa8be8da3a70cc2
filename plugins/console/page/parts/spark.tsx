/** Small charts of what changed in the last minutes, as SVG. */
import type { JSX } from 'preact'

const WIDTH = 240
const HEIGHT = 56

/** A line over time. `values` has one number a moment, oldest first; undefined where nothing is known. */
export function Spark({
  values,
  label,
  slots = 60,
}: {
  readonly values: readonly (number | undefined)[]
  /** What a screen reader says. */
  readonly label: string
  /** How many moments the width shows. */
  readonly slots?: number
}): JSX.Element {
  const shown = values.slice(-slots)
  const most = Math.max(1e-9, ...shown.map((value) => value ?? 0))
  const x = (index: number): number => ((slots - shown.length + index) / (slots - 1)) * WIDTH
  const y = (value: number): number => HEIGHT - 2 - (value / most) * (HEIGHT - 8)
  const runs = runsOf(shown)
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <line class="spark-base" x1="0" x2={WIDTH} y1={HEIGHT - 1} y2={HEIGHT - 1} />
      {runs.map((run) => {
        const line = run.points.map(([index, value]) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join('L')
        const [from, to] = [x(run.from).toFixed(1), x(run.to).toFixed(1)]
        return (
          <g key={run.from}>
            <path class="spark-area" d={`M${from} ${HEIGHT}L${line}L${to} ${HEIGHT}Z`} />
            <path class="spark-line" d={`M${line}`} />
          </g>
        )
      })}
    </svg>
  )
}

/** Values without a gap: the indices of the first and the last, and all of them. */
interface Run {
  readonly from: number
  to: number
  readonly points: (readonly [index: number, value: number])[]
}

/** The values in runs without a gap. */
function runsOf(values: readonly (number | undefined)[]): readonly Run[] {
  const found: Run[] = []
  let run: Run | undefined
  for (const [index, value] of values.entries()) {
    if (value === undefined) {
      run = undefined
      continue
    }
    if (run === undefined) found.push((run = { from: index, to: index, points: [] }))
    run.to = index
    run.points.push([index, value])
  }
  return found
}

/** How checks went, oldest first: a tick a moment. */
export function Ticks({
  values,
  label,
  slots = 60,
}: {
  readonly values: readonly boolean[]
  readonly label: string
  readonly slots?: number
}): JSX.Element {
  const shown = values.slice(-slots)
  return (
    <svg class="ticks" viewBox={`0 0 ${slots * 4} 16`} preserveAspectRatio="none" role="img" aria-label={label}>
      {Array.from({ length: slots }, (_, slot) => {
        const value = shown[slot - (slots - shown.length)]
        const tone = value === undefined ? 'none' : value ? 'ok' : 'bad'
        return <rect key={slot} class={`tick-${tone}`} x={slot * 4} y="0" width="2.6" height="16" rx="1" />
      })}
    </svg>
  )
}
