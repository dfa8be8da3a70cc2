/** What a view is. */
import type { ComponentType } from 'preact'
import type { ViewName } from '../../session.ts'
import type { IconName } from '../shell/icons.tsx'

/** A view of the page: an address, a key, and what it shows. */
export interface View {
  readonly title: string
  /** First part of its address; the first view has none. */
  readonly path: string
  /** Goes to it, after `g`. */
  readonly key: string
  readonly icon: IconName
  /** It is shown if the service has one of these. */
  readonly needs: readonly ViewName[]
  readonly component: ComponentType
}
