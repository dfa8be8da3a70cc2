/** The test cases that every transport has to pass. */
import type { Test } from 'uvu'
import type { Plugin } from '../../../core/declare/plugin.ts'
import { addBodyCases } from './cases/bodies.ts'
import type { Start, Traits } from './cases/common.ts'
import { addLifeCases } from './cases/life.ts'
import { addRefusalCases } from './cases/refusals.ts'
import { addRequestCases } from './cases/requests.ts'
import { addStreamCases } from './cases/streams.ts'
import { addUnreadCases } from './cases/unread.ts'
import { type Rig, startRig } from './rig.ts'

/** Adds the cases to `test`. `settings` apply to every case. */
export function addCases(
  test: Test,
  transports: readonly Plugin[],
  settings: Readonly<Record<string, unknown>>,
  traits: Traits,
): void {
  let rig: Rig | undefined
  const start: Start = async (routes = [], more = {}) => {
    rig = await startRig(transports, routes, { ...settings, ...more })
    return rig
  }
  test.after.each(async () => {
    await rig?.stop()
    rig = undefined
  })
  for (const add of [addRequestCases, addBodyCases, addRefusalCases, addStreamCases, addUnreadCases, addLifeCases]) {
    add(test, start, traits)
  }
}
