/** SVG drawings of a day at one value a minute, with gaps where nothing is known. */
import type { JSX } from 'preact'
import type { Span } from './day.ts'

const HEIGHT = 28

/** The states of the minutes of a day. */
export function StateStrip({
  spans,
  minutes,
  label,
}: {
  readonly spans: readonly Span[]
  /** The number of minutes in the width. */
  readonly minutes: number
  /** The text for screen readers. */
  readonly label: string
}): JSX.Element {
  return (
    <svg class="day-strip" viewBox={`0 0 ${minutes} 10`} preserveAspectRatio="none" role="img" aria-label={label}>
      {spans.map(({ state, from, to }) => (
        <rect key={from} class={`day-${state}`} x={from} y="0" width={to - from + 1} height="10" />
      ))}
    </svg>
  )
}

/** A number by minute. A minute alone between gaps is drawn too. */
export function DayLine({
  values,
  starts,
  label,
}: {
  readonly values: readonly (number | null)[]
  /** The minutes in which the service started. */
  readonly starts: readonly number[]
  /** The text for screen readers. */
  readonly label: string
}): JSX.Element {
  const most = Math.max(1e-9, ...values.map((value) => value ?? 0))
  const y = (value: number): string => (HEIGHT - 1 - (value / most) * (HEIGHT - 4)).toFixed(1)
  let path = ''
  for (const [index, value] of values.entries())
    if (value !== null)
      path += `${(values[index - 1] ?? null) === null ? `M${index} ` : `H${index}V`}${y(value)}H${index + 1}`
  return (
    <svg
      class="day-line"
      viewBox={`0 0 ${values.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {starts.map((index) => (
        <line key={index} class="day-start" x1={index} x2={index} y1="0" y2={HEIGHT} />
      ))}
      <path d={path} />
    </svg>
  )
}
