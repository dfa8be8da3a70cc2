/** The project whose page is shown. */
import { type Signal, signal } from '@preact/signals'
import type { Conflict, Project } from './state.ts'

/** The shown project; undefined before its first state has arrived. */
export const shownProject: Signal<Project | undefined> = signal(undefined)
/** New conflicts of this project since its page was opened that the reader has not looked at. */
export const newConflicts: Signal<readonly Conflict[]> = signal([])

/** Begins to show a project. What is known of another one is not of this one. */
export function showProject(name: string): void {
  if (shownProject.peek()?.project === name) return
  shownProject.value = undefined
  newConflicts.value = []
}
