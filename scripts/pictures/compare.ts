/** Compares a picture with the stored one. */
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'

/**
 * Colour difference from which a pixel counts as changed, 0 to 1. It is low, because the background and the cards
 * differ only slightly in colour.
 */
const COLOUR = 0.02

/** The fraction of pixels that differ, 0 to 1; 1 if the sizes differ. */
export function differenceOf(kept: Buffer, now: Buffer): number {
  const [one, other] = [PNG.sync.read(kept), PNG.sync.read(now)]
  const { width, height } = one
  if (other.width !== width || other.height !== height) return 1
  return pixelmatch(one.data, other.data, undefined, width, height, { threshold: COLOUR }) / (width * height)
}
