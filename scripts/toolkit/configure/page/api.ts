/** What the page and its server send each other. */
import type { Place, Where } from '../model/catalogue.ts'
import type { View } from '../model/view.ts'

/** `GET console/state`, and the answer to a change. */
export interface PageState {
  readonly file: string
  readonly isNew: boolean
  readonly isChanged: boolean
  readonly view: View
  /** What the change did. */
  readonly told: readonly string[]
}

/** `POST console/change`. */
export type ChangeRequest =
  | { readonly do: 'on'; readonly id: string; readonly where?: Where }
  | { readonly do: 'off'; readonly id: string }
  | { readonly do: 'variant'; readonly id: string; readonly name: string; readonly place?: Place }
  | { readonly do: 'undo' | 'measure' }

/** The answer to `POST console/plan`: what saving would do. `POST console/save` with the same id does it. */
export interface PlanAnswer {
  readonly id: string
  readonly canBeWritten: boolean
  readonly lines: readonly string[]
  readonly notes: readonly string[]
}
