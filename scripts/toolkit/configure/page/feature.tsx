/** One feature in the list. */
import type { JSX } from 'preact'
import { Badge, Fact } from '../../../../plugins/console/page/parts/parts.tsx'
import type { Place, Where } from '../model/catalogue.ts'
import type { RowView } from '../model/view.ts'
import { bytesWords, kib, placeWords, whereWords } from '../model/words.ts'
import { change, switched, switchFeature } from './state.ts'

/** A feature with its switch, its variants, and its details. */
export function Feature({ row, hasProgram }: { readonly row: RowView; readonly hasProgram: boolean }): JSX.Element {
  const { id, summary, where, excludedNow } = row
  const isOn = where !== null
  return (
    <li class={`feature${isOn ? ' feature-on' : ''}`}>
      <div class="feature-line">
        <label>
          <input
            type="checkbox"
            checked={switched.value.get(id)?.isOn ?? isOn}
            aria-describedby={`about-${id}`}
            onChange={(event) => void switchFeature(id, event.currentTarget.checked)}
          />
          <span class="feature-id">{id}</span>
        </label>
        {row.isOwn && <Badge tone="accent">yours</Badge>}
        {row.isAlong && <Badge>came along</Badge>}
        {row.stability !== 'stable' && <Badge tone="warn">{row.stability}</Badge>}
        {excludedNow.length > 0 && <Badge tone="bad">excluded by {excludedNow.join(', ')}</Badge>}
        <span class="feature-bytes">{bytesWords(row)}</span>
      </div>
      <p id={`about-${id}`} class="feature-about">
        {summary}
      </p>
      {isOn && (hasProgram || row.variants.length > 0) && <Choices row={row} hasProgram={hasProgram} />}
      <details>
        <summary>Details of {id}</summary>
        <Details row={row} />
      </details>
    </li>
  )
}

function Choices({ row, hasProgram }: { readonly row: RowView; readonly hasProgram: boolean }): JSX.Element {
  const { id, where, variants, chosen } = row
  const places = (['library', 'main'] as const).filter((place) => chosen[place] !== undefined)
  const wheres: readonly Where[] = where === 'library' ? ['both', 'main', 'library'] : ['both', 'main']
  return (
    <div class="feature-choices">
      {hasProgram && (
        <label>
          Place of {id}
          <select
            value={where ?? 'both'}
            onChange={(event) => void change({ do: 'on', id, where: event.currentTarget.value as Where })}
          >
            {wheres.map((one) => (
              <option key={one} value={one}>
                {whereWords[one]}
              </option>
            ))}
          </select>
        </label>
      )}
      {variants.length > 0 && places.map((place) => <Variant key={place} row={row} place={place} />)}
    </div>
  )
}

function Variant({ row, place }: { readonly row: RowView; readonly place: Place }): JSX.Element {
  const { id, variants, chosen, fitting } = row
  return (
    <label>
      Variant of {id} in the {placeWords[place]}
      <select
        value={String(chosen[place])}
        onChange={(event) => void change({ do: 'variant', id, name: event.currentTarget.value, place })}
      >
        {variants.map(({ name, platform }) => (
          <option key={name} value={name}>
            {name}
            {fitting[place]?.includes(name) === true ? '' : `, needs platform ${platform}`}
          </option>
        ))}
      </select>
    </label>
  )
}

function Details({ row }: { readonly row: RowView }): JSX.Element {
  const turn = row.where === null ? 'on' : 'off'
  const of = (sign: string): string[] => row.nextSwitch.filter((one) => one.startsWith(sign)).map((one) => one.slice(2))
  const list = (name: string, values: readonly string[]): JSX.Element | false =>
    values.length > 0 && <Fact name={name}>{values.join(', ')}</Fact>
  return (
    <dl class="facts">
      {list(`Switching it ${turn} also switches on`, of('+'))}
      {list(`Switching it ${turn} also switches off`, of('-'))}
      {list('Requires', row.requires)}
      {list('Excludes', row.excludes)}
      <Fact name="Bytes">
        {row.bytes.length === 0
          ? 'not measured'
          : row.bytes
              .map(
                ({ variant, bytes, from }) =>
                  `${variant === null ? '' : `${variant}: `}${kib(bytes)} without packages, from ${from}`,
              )
              .join('; ')}
      </Fact>
      {list(
        'Packages',
        row.packages.map(
          ({ name, licence, bytes, isAllowed }) =>
            `${name} (${licence ?? 'no licence'}${bytes === null ? '' : `, ${kib(bytes)}`}${isAllowed ? '' : ', not allowed by the profile'})`,
        ),
      )}
      {list('Built-ins', row.builtins)}
      {list('Routes', row.routes)}
      {list('Settings', row.settings)}
      <Fact name="Platform">{row.platform}</Fact>
      <Fact name="Stability">
        {row.stability}
        {row.since !== '' && `, since ${row.since}`}
      </Fact>
    </dl>
  )
}
