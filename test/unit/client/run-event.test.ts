/** The types of events of `svc/client`: a union that narrows, and the same as those of the protocol's own package. */
import type { AGUIEvent } from '@ag-ui/core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { RunEvent } from '../../../plugins/client/index.ts'

/** All members read-only at every depth, values of any type unknown, and the enumeration of types as texts. */
type Plain<T> = 0 extends 1 & T
  ? unknown
  : T extends readonly (infer Item)[]
    ? readonly Plain<Item>[]
    : T extends object
      ? {
          readonly [Key in keyof T]: Key extends 'type'
            ? T[Key] extends string
              ? `${T[Key]}`
              : Plain<T[Key]>
            : Plain<T[Key]>
        }
      : T

/** Compiles only if the first type can be used for the second one. */
type Fits<_From extends To, To> = true

// A member that one of them lacks or that has another type does not compile.
type Checks = [
  Fits<RunEvent, Plain<AGUIEvent>>,
  Fits<Plain<AGUIEvent>, RunEvent>,
  Fits<MembersOf<RunEvent>, MembersOf<Plain<AGUIEvent>>>,
  Fits<MembersOf<Plain<AGUIEvent>>, MembersOf<RunEvent>>,
]

/** The names of the members of each event, so that an optional member that one of them lacks is noticed too. */
type MembersOf<E extends { readonly type: string }> = E extends unknown ? `${E['type']} ${keyof E & string}` : never

test('switch on the type narrows the event', () => {
  const checks: Checks = [true, true, true, true]
  const textOf = (event: RunEvent): string => {
    switch (event.type) {
      case 'TEXT_MESSAGE_CONTENT':
        return event.delta
      case 'RUN_ERROR':
        return event.code ?? event.message
      case 'MESSAGES_SNAPSHOT':
        return event.messages.map((message) => (message.role === 'tool' ? message.toolCallId : message.id)).join()
      case 'CUSTOM':
        return event.name
      // @ts-expect-error: no event has this type
      case 'TEXT':
        return ''
      default:
        return event.type
    }
  }
  // @ts-expect-error: a member of another event
  const delta = ({ type: 'RUN_ERROR', message: 'no' } as Extract<RunEvent, { type: 'RUN_ERROR' }>).delta as unknown
  // An event still fits a function that takes any object with a type.
  const typeOf = (event: { readonly type: string; readonly [member: string]: unknown }): string => event.type
  const events: readonly RunEvent[] = [
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'hello' },
    { type: 'RUN_ERROR', message: 'no', code: 'svc.agent.idle' },
    { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'm', role: 'tool', toolCallId: 'c', content: [] }] },
    { type: 'CUSTOM', name: 'n', value: null },
    { type: 'STEP_STARTED', stepName: 's' },
  ]
  assert.equal(events.map(textOf), ['hello', 'svc.agent.idle', 'c', 'n', 'STEP_STARTED'])
  assert.equal(events.map(typeOf).length, events.length)
  assert.equal([delta, checks.length], [undefined, 4])
})

test.run()
