/** A request message that makes no header map. */
import { IncomingMessage } from 'node:http'
import { joinField } from '../fields.ts'

/**
 * A message without a header map. node:http reads `Expect` of each request, and makes a map of all fields for that, which takes
 * longer than most answers. Here the few fields that are read are found in the raw fields.
 */
export class Message extends IncomingMessage {}

Object.defineProperty(Message.prototype, 'headers', {
  get(this: Message) {
    const expect = fieldOf(this, 'expect')
    return expect === undefined ? none : { expect }
  },
})

/** The value of a field by its name in lower case. */
export function fieldOf({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  let value: string | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const field = rawHeaders[at]!
    if (field.length !== name.length || (field !== name && field.toLowerCase() !== name)) continue
    value = joinField(name, value, rawHeaders[at + 1]!)
  }
  return value
}

const none: Readonly<Record<string, never>> = Object.freeze({})
