/** Everything about one feature, in lines. */
import type { RowView } from './view.ts'
import { kib, placeWords, whereWords } from './words.ts'

/** The lines about a feature: each begins with what it is about. */
export function detailLines(row: RowView): string[] {
  const list = (name: string, values: readonly string[]): string[] =>
    values.length === 0 ? [] : [`${name}: ${values.join(', ')}`]
  const chosen = (['library', 'main'] as const).flatMap((place) => {
    const choice = row.chosen[place]
    return typeof choice === 'string' ? [`${placeWords[place]} ${choice}`] : []
  })
  const along = row.nextSwitch
  const came = along.filter((line) => line.startsWith('+')).map((line) => line.slice(2))
  const went = along.filter((line) => line.startsWith('-')).map((line) => line.slice(2))
  const turn = row.where === null ? 'on' : 'off'
  return [
    `${row.id}: ${row.summary}`,
    `state: ${row.where === null ? 'off' : `on, ${whereWords[row.where]}`}${row.isAlong ? ', came along with another feature' : ''}`,
    ...list(
      'variants',
      row.variants.map(({ name, platform }) => `${name} (platform ${platform})`),
    ),
    ...list('chosen variants', chosen),
    `stability: ${row.stability}${row.since === '' ? '' : `, since ${row.since}`}${row.isOwn ? ', a feature of your profile' : ''}`,
    ...(row.platform === '' ? [] : [`platform: ${row.platform}`]),
    ...list('requires', row.requires),
    ...list('excludes', row.excludes),
    ...list('excluded by what is chosen', row.excludedNow),
    ...list(`switching it ${turn} also switches on`, came),
    ...list(`switching it ${turn} also switches off`, went),
    ...(row.bytes.length === 0
      ? ['bytes: not measured']
      : row.bytes.map(
          ({ variant, bytes, from }) =>
            `bytes${variant === null ? '' : ` of ${variant}`}: ${kib(bytes)} without packages, from ${from}`,
        )),
    ...list(
      'packages and licences',
      row.packages.map(
        ({ name, licence, bytes, isAllowed }) =>
          `${name} ${licence ?? 'without a licence'}${bytes === null ? '' : ` ${kib(bytes)}`}${isAllowed ? '' : ', which the profile does not allow'}`,
      ),
    ),
    ...list('built-ins', row.builtins),
    ...list('routes', row.routes),
    ...list('settings', row.settings),
  ]
}
