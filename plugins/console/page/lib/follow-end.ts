/** Keeps a growing box scrolled to its end until the reader scrolls up. */
import { useRef } from 'preact/hooks'

/** The state of a box that follows its end. */
export interface FollowEnd {
  /** Whether the box scrolls to new content. */
  readonly isFollowing: () => boolean
  /** Stops following, before the box is scrolled to another place. */
  readonly leave: () => void
  /** To be called with the box at each scroll event of the box. */
  readonly scrolled: (box: Pick<HTMLElement, 'scrollTop' | 'clientHeight' | 'scrollHeight'>) => void
}

/**
 * Follows the end until the reader scrolls up, and again when the reader comes within `nearPx` of the end. Content may
 * be added between the scroll to the end and its scroll event. Therefore a box that is far from the end, but has not
 * moved up, still follows.
 */
export function useFollowEnd(nearPx: number): FollowEnd {
  const state = useRef({ isFollowing: true, lastTop: 0 })
  return {
    isFollowing: () => state.current.isFollowing,
    leave: () => void (state.current = { ...state.current, isFollowing: false }),
    scrolled({ scrollTop, clientHeight, scrollHeight }) {
      const { isFollowing, lastTop } = state.current
      const isNear = scrollTop + clientHeight >= scrollHeight - nearPx
      state.current = { isFollowing: isNear || (isFollowing && scrollTop >= lastTop), lastTop: scrollTop }
    },
  }
}
