/** Determines whether memory grows. */

/** The resident memory at a point in time. */
export interface Sample {
  readonly atMs: number
  readonly bytes: number
}

/** The result for a series of samples. */
export interface Slope {
  readonly seconds: number
  readonly startMiB: number
  readonly endMiB: number
  readonly kibPerMinute: number
  readonly verdict: 'flat' | 'grows' | 'too short to tell'
}

const MIB = 1024 * 1024
/** The shortest time for a verdict in seconds, because a heap grows and shrinks over minutes. */
const LEAST_SECONDS = 120
/** Growth up to the larger of these two limits counts as flat: a share of the mean, and a number of bytes. */
const FLAT_SHARE = 0.08
const FLAT_BYTES = 8 * MIB

/** Fits a least-squares line through the samples. */
export function slopeOf(samples: readonly Sample[]): Slope {
  const n = samples.length
  const meanAt = samples.reduce((sum, { atMs }) => sum + atMs, 0) / n
  const mean = samples.reduce((sum, { bytes }) => sum + bytes, 0) / n
  let covariance = 0
  let variance = 0
  for (const { atMs, bytes } of samples) {
    covariance += (atMs - meanAt) * (bytes - mean)
    variance += (atMs - meanAt) ** 2
  }
  const perMs = variance === 0 ? 0 : covariance / variance
  const lastMs = samples.at(-1)?.atMs ?? 0
  const spanMs = lastMs - (samples[0]?.atMs ?? 0)
  const growth = perMs * spanMs
  const grows = growth > Math.max(FLAT_BYTES, FLAT_SHARE * mean)
  return {
    seconds: Math.round(spanMs / 1000),
    startMiB: round((mean - growth / 2) / MIB),
    endMiB: round((mean + growth / 2) / MIB),
    kibPerMinute: Math.round((perMs * 60_000) / 1024),
    verdict: spanMs < LEAST_SECONDS * 1000 ? 'too short to tell' : grows ? 'grows' : 'flat',
  }
}

const round = (value: number): number => Math.round(value * 10) / 10
