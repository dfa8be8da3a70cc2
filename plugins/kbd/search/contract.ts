/** The contract of search, as far as it can be tested on a node without boards. */
import { type Case, type Contract, defineContract } from '../../../core/testing/contract.ts'

const PATH = '/api/v1/search'

const refused = (query: string, status: number, code: string): Case => ({
  name: `a search ${query.slice(0, 40)} is ${status} ${code}`,
  surface: 'local',
  send: { path: `${PATH}${query}` },
  expect: { status, body: { error: { code } } },
})

/** The contract of feature `kbd.search`. */
export const contract: Contract = defineContract({
  present: [
    ...['any', '%22NEAR%28', '%20', 'title%3Ax%2A'].map(
      (text): Case => ({
        name: `a search for ${text} finds nothing where there is nothing`,
        surface: 'local',
        send: { path: `${PATH}?q=${text}` },
        expect: { status: 200, body: { results: [], frontier: null } },
      }),
    ),
    refused('', 422, 'search_query_invalid'),
    refused('?q=', 422, 'search_query_invalid'),
    refused(`?q=${'x'.repeat(1_025)}`, 422, 'search_query_invalid'),
    refused(`?q=${'%C3%BC'.repeat(513)}`, 422, 'search_query_invalid'),
    ...['0', '101', '-1', '1.5', '', '1e1'].map((limit) => refused(`?q=x&limit=${limit}`, 400, 'malformed_request')),
    ...['link', '', 'Card', '__proto__'].map((kind) => refused(`?q=x&kind=${kind}`, 400, 'malformed_request')),
    refused('?q=x&project=nowhere', 404, 'project_not_found'),
    {
      name: 'search is not on the runtime surface',
      send: { path: `${PATH}?q=x`, as: { user: 'ada' } },
      expect: { status: 404, body: { error: { code: 'not_found' } } },
    },
  ],
  absent: [
    {
      name: 'there is no search',
      send: { path: `${PATH}?q=x`, as: { user: 'ada' } },
      expect: { status: 404, body: { error: { code: 'not_found' } } },
    },
  ],
})
