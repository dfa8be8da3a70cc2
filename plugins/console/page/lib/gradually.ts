/** Draws expensive parts of a page one per frame. */
import { useLayoutEffect, useState } from 'preact/hooks'

/** How many of `count` parts to draw: one more in each frame, until all parts are drawn. */
export function useGradually(count: number): number {
  const [drawn, setDrawn] = useState(1)
  useLayoutEffect(() => {
    if (drawn >= count) return
    const frame = requestAnimationFrame(() => setDrawn(drawn + 1))
    return () => cancelAnimationFrame(frame)
  }, [drawn, count])
  return drawn
}
