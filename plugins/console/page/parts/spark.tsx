/** Small SVG charts of values over the last minutes. */
import type { JSX } from 'preact'

const WIDTH = 240
const HEIGHT = 56

/**
 * A line over time. `values` has one number per moment, the oldest first, and undefined for a moment without a value.
 */
export function Spark({
  values,
  label,
  slots = 60,
}: {
  readonly values: readonly (number | undefined)[]
  /** The text for screen readers. */
  readonly label: string
  /** Number of moments in the width of the chart. */
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

/** Consecutive values without a gap, with the indices of the first and the last value. */
interface Run {
  readonly from: number
  to: number
  readonly points: (readonly [index: number, value: number])[]
}

/** Splits the values into runs without a gap. */
function runsOf(values: readonly (number | undefined)[]): readonly Run[] {
  const runs: Run[] = []
  let run: Run | undefined
  for (const [index, value] of values.entries()) {
    if (value === undefined) {
      run = undefined
      continue
    }
    if (run === undefined) runs.push((run = { from: index, to: index, points: [] }))
    run.to = index
    run.points.push([index, value])
  }
  return runs
}

/** Results of checks, the oldest first, with one tick per moment. */
export function Ticks({
  values,
  label,
  slots = 60,
}: {
  /** Undefined where the result is not known. */
  readonly values: readonly (boolean | undefined)[]
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
