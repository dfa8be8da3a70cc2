/** What a view is, and the icons of views and buttons. */
import type { ComponentType, JSX } from 'preact'
import type { ViewName } from '../../session.ts'

/** A view of the page: its address, its shortcut and its component. */
export interface View {
  readonly title: string
  /** The first part of the address of the view; empty for the first view. */
  readonly path: string
  /** The key that opens the view after `g`. */
  readonly key: string
  readonly icon: IconName
  /** The view is shown if the session lists at least one of these names. */
  readonly needs: readonly ViewName[]
  readonly component: ComponentType
}

const SHAPES = {
  overview: 'M2.5 9.5 5.5 6l3 2.5L13.5 3M2.5 13.5h11',
  runs: 'M5 3.5v9l7.5-4.5z',
  live: 'M8 8h.01M5.2 10.8a4 4 0 0 1 0-5.6m5.6 0a4 4 0 0 1 0 5.6M3 13A7 7 0 0 1 3 3m10 0a7 7 0 0 1 0 10',
  boards: 'M2.5 3h3v10h-3zM6.5 3h3v6h-3zM10.5 3h3v8h-3z',
  pushes: 'M8 13V4M4.5 7.2 8 3.7l3.5 3.5M3 13h10',
  keys: 'M9.8 8.8a3.4 3.4 0 1 0-2.6-2.6L2.5 11v2.5H5V12h1.5v-1.5z',
  audit: 'M6.2 9.8 4.8 11.2a2.1 2.1 0 0 1-3-3l2.4-2.4m5.6.4 1.4-1.4a2.1 2.1 0 0 1 3 3l-2.4 2.4M5.5 10.5l5-5',
  build: 'M8 2.2 13.5 5v6L8 13.8 2.5 11V5zM2.5 5 8 8l5.5-3M8 8v5.8',
  api: 'M5.5 4.5 2.5 8l3 3.5m5-7 3 3.5-3 3.5M9 3 7 13',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  sun: 'M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zM8 1.5v1.2m0 10.6v1.2M1.5 8h1.2m10.6 0h1.2M3.4 3.4l.9.9m7.4 7.4.9.9m0-9.2-.9.9M4.3 11.7l-.9.9',
} as const

/** The name of an icon. */
export type IconName = keyof typeof SHAPES

/** An icon beside a text with the same meaning. Screen readers skip the icon. */
export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={SHAPES[name]} />
    </svg>
  )
}
