/** The state of the page: the choice, which the server keeps, and what the last change did. */
import { type Signal, signal } from '@preact/signals'
import { createSerialQueue } from '../../../../core/kernel/serial-queue.ts'
import { consoleApi, ServiceError } from '../../../../plugins/console/page/lib/service.ts'
import type { ChangeRequest, PageState, PlanAnswer } from './api.ts'

/** The choice; undefined until it is loaded. */
export const state: Signal<PageState | undefined> = signal(undefined)
/** The error of the last request. */
export const refusal: Signal<ServiceError | undefined> = signal(undefined)
/** What the server is doing, such as measuring. */
export const busy: Signal<string | undefined> = signal(undefined)
/** Features whose switch the server has not confirmed yet, with the wanted position. */
export const switched: Signal<ReadonlyMap<string, { readonly isOn: boolean }>> = signal(new Map())
/** The difference that is shown before the file is written. */
export const plan: Signal<PlanAnswer | undefined> = signal(undefined)

/** Loads the choice. */
export function load(): Promise<void> {
  return run(undefined, async () => {
    state.value = await consoleApi<PageState>('/state')
    document.title = `svc-build configure · ${state.value.view.profile}`
  })
}

/** Makes a change. `doing` names a change that takes seconds. */
export function change(body: ChangeRequest, doing?: string): Promise<void> {
  return run(doing, async () => {
    state.value = await consoleApi<PageState>('/change', { method: 'POST', body })
  })
}

/** Switches a feature on or off. The checkbox shows the new position at once, and keeps it until the server answers. */
export async function switchFeature(id: string, isOn: boolean): Promise<void> {
  const wish = { isOn }
  switched.value = new Map(switched.value).set(id, wish)
  try {
    await change({ do: isOn ? 'on' : 'off', id })
  } finally {
    if (switched.value.get(id) === wish) {
      const others = new Map(switched.value)
      others.delete(id)
      switched.value = others
    }
  }
}

/** Asks what saving would change. */
export function planSave(): Promise<void> {
  return run('Bundling the choice, to find what it needs…', async () => {
    plan.value = await consoleApi<PlanAnswer>('/plan', { method: 'POST', body: {} })
    state.value = await consoleApi<PageState>('/state')
  })
}

/** Writes the file as the shown difference says. */
export function save(): Promise<void> {
  const id = plan.value?.id
  plan.value = undefined
  return run('Saving…', async () => {
    state.value = await consoleApi<PageState>('/save', { method: 'POST', body: { id } })
  })
}

/** Requests go one after the other: each answer is the whole state, and an older one must not follow a newer one. */
const queue = createSerialQueue()

function run(doing: string | undefined, work: () => Promise<void>): Promise<void> {
  // Not when the turn comes: the refusal of the request before would never be seen.
  refusal.value = undefined
  return queue(() => runNow(doing, work))
}

async function runNow(doing: string | undefined, work: () => Promise<void>): Promise<void> {
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
