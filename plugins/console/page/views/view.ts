/** The type of a view. */
import type { ComponentType } from 'preact'
import type { ViewName } from '../../session.ts'
import type { IconName } from '../shell/icons.tsx'

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
