/** The state of the page: the choice, which the server keeps, and what the last change did. */
import { type Signal, signal } from '@preact/signals'
import { own, ServiceError } from '../../../../plugins/console/page/lib/service.ts'
import type { ChangeRequest, PageState, PlanAnswer } from './api.ts'

/** The choice; undefined until it is loaded. */
export const state: Signal<PageState | undefined> = signal(undefined)
/** The error of the last request. */
export const refusal: Signal<ServiceError | undefined> = signal(undefined)
/** What the server is doing, such as measuring. */
export const busy: Signal<string | undefined> = signal(undefined)
/** The difference that is shown before the file is written. */
export const plan: Signal<PlanAnswer | undefined> = signal(undefined)

/** Loads the choice. */
export function load(): Promise<void> {
  return run(undefined, async () => {
    state.value = await own<PageState>('/state')
    document.title = `svc-build configure · ${state.value.view.profile}`
  })
}

/** Makes a change. `doing` names a change that takes seconds. */
export function change(body: ChangeRequest, doing?: string): Promise<void> {
  return run(doing, async () => {
    state.value = await own<PageState>('/change', { method: 'POST', body })
  })
}

/** Asks what saving would change. */
export function planSave(): Promise<void> {
  return run('Bundling the choice, to find what it needs…', async () => {
    plan.value = await own<PlanAnswer>('/plan', { method: 'POST', body: {} })
    state.value = await own<PageState>('/state')
  })
}

/** Writes the file as the shown difference says. */
export function save(): Promise<void> {
  return run('Saving…', async () => {
    const id = plan.value?.id
    plan.value = undefined
    state.value = await own<PageState>('/save', { method: 'POST', body: { id } })
  })
}

async function run(doing: string | undefined, work: () => Promise<void>): Promise<void> {
  refusal.value = undefined
  busy.value = doing
  try {
    await work()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    refusal.value =
      error.code === 'console_away'
        ? new ServiceError(
            0,
            'ended',
            'svc-build configure has ended. Start it again, and open the address that it prints.',
          )
        : error
  } finally {
    busy.value = undefined
  }
}
