/** The table of the fan-out comparison, and its bars. */
import { isMet, median } from '../harness/figures.ts'

/** The fixed rates at which delays are measured, in events per second. */
export const RATES = [100, 200] as const

/** The results of one server, one value per round. Delays are in microseconds, by rate. */
export interface Row {
  readonly burst: number[]
  readonly single: number[]
  readonly p50: Record<(typeof RATES)[number], number[]>
  readonly p99: Record<(typeof RATES)[number], number[]>
  /** Memory of an idle connection, in bytes. */
  readonly idleBytes: number[]
  /** Fraction of the time of single events for which the reading program used its core. */
  readonly busy: number[]
}

/** Creates an empty row. */
export function newRow(): Row {
  return { burst: [], single: [], p50: { 100: [], 200: [] }, p99: { 100: [], 200: [] }, idleBytes: [], busy: [] }
}

type Figure = (row: Row) => number

const burst: Figure = (row) => median(row.burst)
const single: Figure = (row) => median(row.single)
const idleBytes: Figure = (row) => median(row.idleBytes)
const p99: Figure = (row) => median(row.p99[200])

/** Prints the medians, with the ratio to Nchan for columns that have a bar against it. */
export function print(connections: number, rounds: number, rows: ReadonlyMap<string, Row>): void {
  const base = rows.get('nchan')
  const against = (figure: Figure) => (row: Row) => (base === undefined ? '' : (figure(row) / figure(base)).toFixed(2))
  const whole = (figure: Figure) => (row: Row) => String(Math.round(figure(row)))
  const columns: readonly (readonly [title: string, cell: (row: Row) => string])[] = [
    ['bursts/s', whole(burst)],
    ['×', against(burst)],
    ['singles/s', whole(single)],
    ['×', against(single)],
    ...RATES.flatMap((rate): [string, (row: Row) => string][] => [
      [`p50 at ${rate}/s`, (row) => (median(row.p50[rate]) / 1_000).toFixed(1)],
      ['p99', (row) => (median(row.p99[rate]) / 1_000).toFixed(1)],
      ['×', against((row) => median(row.p99[rate]))],
    ]),
    ['idle bytes', whole(idleBytes)],
    ['reader busy', (row) => `${Math.round(median(row.busy) * 100)} %`],
  ]
  const line = (name: string, cells: readonly string[]): string =>
    name.padEnd(11) + cells.map((cell, i) => cell.padStart(columns[i]![0].length < 6 ? 9 : 13)).join('')
  console.log(`\n${connections} connections (medians of ${rounds} rounds; × is against Nchan; delays in ms)\n`)
  console.log(
    line(
      'server',
      columns.map(([title]) => title),
    ),
  )
  for (const [name, row] of rows)
    console.log(
      line(
        name,
        columns.map(([, cell]) => cell(row)),
      ),
    )
}

/** Checks the bars of the fan-out, each against another server of the same run. Returns false if one is missed. */
export function holdBars(connections: number, rows: ReadonlyMap<string, Row>): boolean {
  const bars: readonly (readonly [
    what: string,
    name: string,
    peer: string,
    figure: Figure,
    bar: number,
    most?: true,
  ])[] = [
    ['bursts', 'svc-node', 'nchan', burst, 2],
    ['bursts', 'svc-uws', 'nchan', burst, 2],
    ['single events', 'svc-node', 'nchan', single, 1],
    ['single events', 'svc-uws', 'nchan', single, 0.8],
    ['single events', 'svc-node', 'better-sse', single, 1.2],
    ['memory of an idle connection', 'svc-uws', 'svc-node', idleBytes, 0.5, true],
  ]
  const delays = [
    ['p99 of the delay at 200 events/s', 'svc-node', 'nchan', p99, 1.5, true],
    ['p99 of the delay at 200 events/s', 'svc-uws', 'nchan', p99, 1.5, true],
  ] as const
  let allMet = true
  for (const [what, name, peer, figure, bar, most] of connections === 1_000 ? [...bars, ...delays] : bars) {
    const [mine, theirs] = [rows.get(name), rows.get(peer)]
    // A server that is missing on this machine was reported before, and has no bar.
    if (mine === undefined || theirs === undefined) continue
    const reached = figure(mine) / figure(theirs)
    const compared = `${what}, ${name} to ${peer}`
    allMet = isMet(compared, reached, bar, most ? 'at most' : 'at least') && allMet
  }
  return allMet
}
