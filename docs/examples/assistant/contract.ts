/** The contract of the assistant. */
import { type Contract, defineContract } from 'svc/plugin'

const path = '/api/svc/assistant'
const send = { method: 'POST', path, body: { question: '2 + 3' } }

/** The contract of feature `example.assistant`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'it adds',
      send: { ...send, as: { user: 'ada' } },
      expect: { status: 200, body: { answer: 'It is 5.' } },
    },
    {
      name: 'it knows only callers who say who they are',
      send,
      expect: { status: 401 },
    },
    {
      name: 'a body of another shape is refused',
      send: { method: 'POST', path, body: { query: '2 + 3' }, as: { user: 'ada' } },
      expect: { status: 400, body: { error: { code: 'malformed_request' } } },
    },
  ],
  absent: [
    {
      name: 'there is no assistant',
      send: { ...send, as: { user: 'ada' } },
      expect: { status: 404 },
    },
  ],
})
