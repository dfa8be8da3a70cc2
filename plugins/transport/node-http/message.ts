/** The message of a request, without what nobody reads of it. */
import { IncomingMessage } from 'node:http'
import { joinField } from '../fields.ts'

/**
 * A message that makes no map of its headers. node:http asks each request for its `Expect`, and makes the map of all its fields for
 * that, which takes longer than most answers; what is asked of a message here is looked for among the raw fields.
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
