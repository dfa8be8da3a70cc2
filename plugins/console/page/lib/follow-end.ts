/** Whether a box that grows stays scrolled to its end. */
import { useRef } from 'preact/hooks'

/** What a box needs to follow its end. */
export interface FollowEnd {
  /** Whether new content is to be scrolled to. */
  readonly isFollowing: () => boolean
  /** To be called with the box at each of its scroll events. */
  readonly scrolled: (box: Pick<HTMLElement, 'scrollTop' | 'clientHeight' | 'scrollHeight'>) => void
}

/**
 * Follows until the reader scrolls up, and again when the reader comes within `nearPx` of the end. Content may be added between the
 * scroll to the end and its event, so that a box which is far from the end and did not move up still follows.
 */
export function useFollowEnd(nearPx: number): FollowEnd {
  const state = useRef({ isFollowing: true, lastTop: 0 })
  return {
    isFollowing: () => state.current.isFollowing,
    scrolled({ scrollTop, clientHeight, scrollHeight }) {
      const { isFollowing, lastTop } = state.current
      const isNear = scrollTop + clientHeight >= scrollHeight - nearPx
      state.current = { isFollowing: isNear || (isFollowing && scrollTop >= lastTop), lastTop: scrollTop }
    },
  }
}
