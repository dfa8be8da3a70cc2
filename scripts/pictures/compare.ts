/** How much a picture differs from the one that is kept. */
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'

/** Difference of two colours from which a pixel counts, 0 to 1. The paper and the cards on it differ by little more. */
const COLOUR = 0.02

/** The share of pixels that differ, 0 to 1; 1 where the sizes do. */
export function differenceOf(kept: Buffer, now: Buffer): number {
  const [one, other] = [PNG.sync.read(kept), PNG.sync.read(now)]
  const { width, height } = one
  if (other.width !== width || other.height !== height) return 1
  return pixelmatch(one.data, other.data, undefined, width, height, { threshold: COLOUR }) / (width * height)
}
