/** API: shows the contract of the service, and sends operations with the console's credential. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { countOf } from '../../lib/format.ts'
import { useListKeys } from '../../lib/keys.ts'
import { useLoad } from '../../lib/load.ts'
import { at, choiceOf, keepingQuery, path } from '../../lib/router.ts'
import { local, runtime, session } from '../../lib/service.ts'
import { Datum } from '../../parts/datum.tsx'
import { Empty, Head, Tabs } from '../../parts/parts.tsx'
import type { View } from '../view.tsx'
import { type OpenApi, type Operation, operationsOf, type Surface } from './contract.ts'
import { OperationPage } from './operation-page.tsx'
import './api.css'

/** The view. */
export const api: View = { title: 'API', path: 'api', key: 'c', icon: 'api', needs: ['api'], component: Api }

function Api(): JSX.Element {
  const ask = session.value?.local == null ? runtime : local
  const read = useLoad((stop) => ask<OpenApi>('/openapi.json', { signal: stop }))
  const contract = read.data
  const [search, setSearch] = choiceOf('q')
  const [surfaceChoice, setSurface] = choiceOf('surface')
  const surface = (surfaceChoice === '' ? 'all' : surfaceChoice) as Surface | 'all'
  const all = useMemo(() => (contract === undefined ? [] : operationsOf(contract)), [contract])
  const searchText = search.toLowerCase()
  const operations = all.filter(
    ({ id, summary = '', surfaces }) =>
      (surface === 'all' || surfaces.includes(surface)) && `${id} ${summary}`.toLowerCase().includes(searchText),
  )
  const chosen = all.find(({ operationId }) => operationId === path.value[1])
  const index = chosen === undefined ? -1 : operations.indexOf(chosen)
  useListKeys({
    thing: 'operation',
    rows: operations,
    index,
    list: keepingQuery('/api'),
    addressOf: ({ operationId }) => keepingQuery(`/api/${operationId}`),
  })
  if (contract === undefined)
    return (
      <>
        <Head title="API" />
        <Datum of={read} name="the OpenAPI contract" />
      </>
    )
  return (
    <div class={`api${chosen === undefined ? '' : ' api-chosen'}`}>
      <Head title="API" about={`${countOf(all.length, 'operation')} · OpenAPI, version ${contract.info.version}`}>
        <Tabs
          label="Surface"
          of={[
            ['all', 'All'],
            ['runtime', 'Runtime'],
            ['local', 'Local'],
            ['peer', 'Peer'],
          ]}
          value={surface}
          onChoose={(to) => setSurface(to === 'all' ? '' : to)}
        />
        <input
          type="search"
          placeholder="Search"
          aria-label="Search operations"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      </Head>
      <Datum of={read} name="the OpenAPI contract" hasNoMatch={() => operations.length === 0} />
      <div class="api-panes">
        <ul class="api-list">
          {operations.map((operation) => (
            <li key={operation.id}>
              <OperationLink operation={operation} isChosen={operation === chosen} />
            </li>
          ))}
        </ul>
        {chosen === undefined ? (
          <Empty title="Choose an operation">Read it, copy it as a curl command, or send it from here.</Empty>
        ) : (
          <OperationPage key={chosen.id} contract={contract} operation={chosen} />
        )}
      </div>
    </div>
  )
}

function OperationLink({
  operation,
  isChosen,
}: {
  readonly operation: Operation
  readonly isChosen: boolean
}): JSX.Element {
  const { method, path: route, operationId, deprecated = false } = operation
  return (
    <a
      class="list-link api-link"
      href={at(keepingQuery(`/api/${operationId}`))}
      aria-current={isChosen ? 'true' : undefined}
    >
      <span class={`method method-${method.toLowerCase()}`}>{method}</span>
      <code class={deprecated ? 'deprecated' : undefined}>{route}</code>
    </a>
  )
}
